// Typeahead search for a single short prefix, such as the first letter that a user types, without reading all of its many postings.
import { LruCache } from '#core/lru-cache'
import { toBytes } from './bytes.ts'
import type { DocValues } from './doc-values.ts'
import { hasPrefixPostings, prefixMarker } from './inverter.ts'
import type { Query } from './query.ts'
import { postingsOf } from './scratch-buffers.ts'
import type { Segment } from './segment.ts'
import type { TopK } from './top-k.ts'
import { prefixCost, typeaheadScore } from './typeahead-score.ts'

/** Whether the query is only one short prefix, which many documents may have. */
export const isShortPrefixQuery = ({ words: [word, ...others], last, excluded = [] }: Query) =>
  excluded.length === 0 &&
  others.length === 0 &&
  word !== undefined &&
  word.term === last?.term &&
  hasPrefixPostings(word.term)

/**
 * Finds the same documents as `TypeaheadSearch` for one short prefix, but without scanning its long postings. Visits the documents
 * in rank order, and stops as soon as no other document can be in the top k (early termination).
 */
export class ShortPrefixSearch {
  readonly #word: string

  constructor({ words }: Query) {
    this.#word = words[0]?.term ?? ''
  }

  /** Adds the best matches of a segment to the top k. Returns the number of documents that were added. */
  search(segment: Segment, topK: TopK): number {
    const exact = bitmapOf(segment, this.#word)
    const prefixed = bitmapOf(segment, prefixMarker + this.#word)
    const others = prefixed?.map((byte, i) => byte & ~(exact?.[i] ?? 0))
    return this.#add(segment, topK, 0, exact) + this.#add(segment, topK, prefixCost, others)
  }

  /** Adds documents in rank order, until one is not in the top k. All later documents rank lower. */
  #add(segment: Segment, topK: TopK, cost: number, bitmap: Uint8Array | undefined): number {
    if (!bitmap) return 0
    const { rows, seqs, lengths } = segment.docValues
    let added = 0
    for (const document of rankOrder(segment)) {
      if (!(bitmap[document >>> 3]! & (1 << (document & 7))) || segment.deleted[document]) continue
      if (!topK.add(typeaheadScore(cost, lengths[document]!), seqs[document]!, rows[document]!)) break
      added++
    }
    return added
  }
}

/** Returns a bitmap of the documents of a segment that have a term; undefined if none has. */
function bitmapOf(segment: Segment, term: string): Uint8Array | undefined {
  const cache = bitmapCaches.get(segment) ?? new LruCache<Uint8Array>(maxCachedTerms)
  bitmapCaches.set(segment, cache)
  const known = cache.get(term)
  if (known) return known
  const entry = segment.find(toBytes(term))
  if (!entry) return undefined
  const bitmap = new Uint8Array((segment.deleted.length >>> 3) + 1)
  const { documents, count } = postingsOf(segment, entry)
  for (let i = 0; i < count; i++) bitmap[documents[i]! >>> 3]! |= 1 << (documents[i]! & 7)
  cache.set(term, bitmap)
  return bitmap
}

/** LRU cache of bitmaps, by segment and term, since users type the same first letters again and again. */
const bitmapCaches = new WeakMap<Segment, LruCache<Uint8Array>>()
const maxCachedTerms = 64

const rankOrders = new WeakMap<Segment, Uint32Array>()

/** Returns the documents of a segment in the rank order of equal costs: fewer words first, then the lower sequence number. */
function rankOrder(segment: Segment): Uint32Array {
  const known = rankOrders.get(segment)
  if (known) return known
  const order = sortByRank(segment.docValues)
  rankOrders.set(segment, order)
  return order
}

function sortByRank({ seqs, lengths }: DocValues): Uint32Array {
  const bySeq = Uint32Array.from(seqs, (_, document) => document)
  if (seqs.some((seq, document) => seq < (seqs[document - 1] ?? 0))) bySeq.sort((a, b) => seqs[a]! - seqs[b]!)
  // Counting sort by length. It is stable, so it keeps the order of sequence numbers among documents of equal length.
  const starts = new Uint32Array(lengths.reduce((most, length) => Math.max(most, length), 0) + 2)
  for (const length of lengths) starts[length + 1]!++
  for (let length = 1; length < starts.length; length++) starts[length]! += starts[length - 1]!
  const order = new Uint32Array(bySeq.length)
  for (const document of bySeq) order[starts[lengths[document]!]!++] = document
  return order
}
