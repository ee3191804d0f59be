import { LruCache } from '#core/lru-cache'
import type { Best } from './best.ts'
import { toBytes } from './bytes.ts'
import { begins, score } from './cost.ts'
import type { Facts } from './facts.ts'
import { beginning, isListed } from './invert.ts'
import type { Query } from './query.ts'
import { postingsOf } from './scratch.ts'
import type { Segment } from './segment.ts'

/** Whether the query is one beginning of a word, so short that most documents may have it, and excludes nothing. */
export const isShort = ({ words: [word, ...others], last, excluded = [] }: Query) =>
  excluded.length === 0 && others.length === 0 && word !== undefined && word.term === last?.term && isListed(word.term)

/**
 * Finds documents that have a word, or one that begins so, as `SearchAsYouType` does, without going through all that have:
 * it looks at documents in the order in which they come, and stops where no other could be among the best.
 */
export class ShortSearch {
  readonly #word: string

  constructor({ words }: Query) {
    this.#word = words[0]?.term ?? ''
  }

  /** Adds the best of a segment; returns how many that is. */
  search(segment: Segment, best: Best): number {
    const exact = documentsWith(segment, this.#word)
    const begun = documentsWith(segment, beginning + this.#word)
    const others = begun?.map((byte, i) => byte & ~(exact?.[i] ?? 0))
    return this.#add(segment, best, 0, exact) + this.#add(segment, best, begins, others)
  }

  /** Adds documents in the order in which they come, until one is not among the best. */
  #add(segment: Segment, best: Best, cost: number, having: Uint8Array | undefined): number {
    if (!having) return 0
    const { rows, seqs, lengths } = segment.facts
    let added = 0
    for (const document of inOrder(segment)) {
      if (!(having[document >>> 3]! & (1 << (document & 7))) || segment.dead[document]) continue
      if (!best.add(score(cost, lengths[document]!), seqs[document]!, rows[document]!)) break
      added++
    }
    return added
  }
}

/** A bit for each document of a segment, by its number: whether it has a term. Nothing if none has. */
function documentsWith(segment: Segment, term: string): Uint8Array | undefined {
  const recent = bits.get(segment) ?? new LruCache<Uint8Array>(kept)
  bits.set(segment, recent)
  const known = recent.get(term)
  if (known) return known
  const entry = segment.find(toBytes(term))
  if (!entry) return undefined
  const having = new Uint8Array((segment.dead.length >>> 3) + 1)
  const { documents, count } = postingsOf(segment, entry)
  for (let i = 0; i < count; i++) having[documents[i]! >>> 3]! |= 1 << (documents[i]! & 7)
  recent.set(term, having)
  return having
}

/** Terms that were asked for lately, and how many of them are kept for each segment. */
const bits = new WeakMap<Segment, LruCache<Uint8Array>>()
const kept = 64

const orders = new WeakMap<Segment, Uint32Array>()

/** The documents of a segment in the order in which those of the same cost come: the shorter first, then by `seq`. */
function inOrder(segment: Segment): Uint32Array {
  const known = orders.get(segment)
  if (known) return known
  const order = orderOf(segment.facts)
  orders.set(segment, order)
  return order
}

function orderOf({ seqs, lengths }: Facts): Uint32Array {
  const bySeq = Uint32Array.from(seqs, (_, document) => document)
  if (seqs.some((seq, document) => seq < (seqs[document - 1] ?? 0))) bySeq.sort((a, b) => seqs[a]! - seqs[b]!)
  const starts = new Uint32Array(lengths.reduce((most, length) => Math.max(most, length), 0) + 2)
  for (const length of lengths) starts[length + 1]!++
  for (let length = 1; length < starts.length; length++) starts[length]! += starts[length - 1]!
  const order = new Uint32Array(bySeq.length)
  for (const document of bySeq) order[starts[lengths[document]!]!++] = document
  return order
}
