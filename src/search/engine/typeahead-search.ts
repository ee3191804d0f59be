// Typeahead search in a segment: finds the documents that have all words of the query, the last one also as a prefix.
import { LruCache } from '#core/lru-cache'
import { toBytes } from './bytes.ts'
import { markExcluded } from './exclusion.ts'
import { hasPrefixPostings, prefixMarker } from './inverter.ts'
import { decodeEntry, type PostingEntry } from './postings.ts'
import type { Query } from './query.ts'
import { postingsOf, type ScratchBuffers, scratchBuffersFor } from './scratch-buffers.ts'
import type { Segment } from './segment.ts'
import type { TopK } from './top-k.ts'
import { prefixCost, typeaheadScore, typoCost } from './typeahead-score.ts'
import { FuzzyMatcher, maxTypos } from './typos.ts'

/** Minimum first byte of a term that is a word. Terms that stand for prefixes begin with the marker. */
const minWordByte = prefixMarker.charCodeAt(0) + 1

/** A word of the query. */
interface QueryWord {
  term: Uint8Array
  characters: string
  isLast: boolean
  /** Finds terms with typos; undefined if the word must match exactly. */
  fuzzy: FuzzyMatcher | undefined
}

/** A term that matches a word of the query, and the cost of the match. */
interface TermMatch {
  entry: PostingEntry
  cost: number
}

/** Runs one typeahead query. One instance searches all segments of a shard. With `withTypos`, the words may have typos. */
export class TypeaheadSearch {
  readonly #words: QueryWord[]
  readonly #excluded: Uint8Array[][]

  constructor({ words, last, excluded = [] }: Query, withTypos: boolean) {
    this.#excluded = excluded.map((run) => run.map(({ term }) => toBytes(term)))
    this.#words = words.map((word) => ({
      term: toBytes(word.term),
      characters: word.term,
      isLast: word.term === last?.term,
      fuzzy: withTypos && maxTypos(word.term) > 0 ? new FuzzyMatcher(word.term, word.term === last?.term) : undefined,
    }))
  }

  /** Adds the matches of a segment to the top k. Returns the number of matches. */
  search(segment: Segment, topK: TopK): number {
    const { rows, seqs, lengths } = segment.docValues
    const scratch = scratchBuffersFor(rows.length)
    const { scores, marks, touched } = scratch
    const unmarkExcluded = markExcluded(segment, this.#excluded, false, marks)
    const seen = this.#match(segment, scratch)
    let count = 0
    for (let i = 0; i < seen; i++) {
      const document = touched[i]!
      if (marks[document] === this.#words.length && !segment.deleted[document]) {
        count++
        topK.add(typeaheadScore(scores[document]!, lengths[document]!), seqs[document]!, rows[document]!)
      }
      scores[document] = 0
      marks[document] = 0
    }
    unmarkExcluded()
    return count
  }

  /**
   * Sets the mark of each document to the number of query words that it has, and its score to their total cost. Returns the number
   * of documents with the first word: only these can match.
   */
  #match(segment: Segment, { scores, marks, touched }: ScratchBuffers): number {
    let seen = 0
    for (const [matched, word] of this.#words.entries()) {
      let hits = 0
      for (const { entry, cost } of this.#matchesOf(segment, word)) {
        const { documents, count } = postingsOf(segment, entry)
        for (let i = 0; i < count; i++) {
          const document = documents[i]!
          if (marks[document] !== matched) continue
          if (matched === 0) touched[seen++] = document
          marks[document] = matched + 1
          scores[document]! += cost
          hits++
        }
      }
      if (hits === 0) break
    }
    return seen
  }

  /** Returns the terms that match a word, cheapest first, so that the first match of a document is its cheapest one. */
  #matchesOf(segment: Segment, word: QueryWord): TermMatch[] {
    const exact = segment.find(word.term)
    const matches: TermMatch[] = exact ? [{ entry: exact, cost: 0 }] : []
    if (word.isLast) for (const entry of prefixMatches(segment, word)) matches.push({ entry, cost: prefixCost })
    return word.fuzzy ? [...matches, ...fuzzyMatches(segment, word, word.fuzzy)] : matches
  }
}

/** LRU cache of matches with typos, by segment. While a user types, the first words of the query stay the same. */
const fuzzyCaches = new WeakMap<Segment, LruCache<TermMatch[]>>()

/** Number of words that the cache holds for each segment. A word with more matches than the second limit is not cached. */
const maxCachedWords = 32
const maxCachedMatches = 2048

function fuzzyMatches(segment: Segment, { characters, isLast }: QueryWord, fuzzy: FuzzyMatcher): TermMatch[] {
  const cache = fuzzyCaches.get(segment) ?? new LruCache<TermMatch[]>(maxCachedWords)
  fuzzyCaches.set(segment, cache)
  const key = `${isLast ? 'prefix' : 'word'} ${characters}`
  const known = cache.get(key)
  if (known) return known
  const matches: TermMatch[] = []
  fuzzy.find(segment.terms, minWordByte, ({ entry, errors, isWhole }) => {
    if (errors > 0) matches.push({ entry, cost: typoCost * errors + (isWhole ? 0 : prefixCost) })
  })
  matches.sort((a, b) => a.cost - b.cost)
  if (matches.length <= maxCachedMatches) cache.set(key, matches)
  return matches
}

/**
 * Yields the entries of the terms that begin with a prefix: from the prefix's own postings if it is short, else by a scan of the
 * dictionary.
 */
function* prefixMatches(segment: Segment, { term, characters }: { term: Uint8Array; characters: string }) {
  if (hasPrefixPostings(characters)) {
    const entry = segment.find(toBytes(prefixMarker + characters))
    if (entry) yield entry
    return
  }
  const cursor = segment.terms.seek(term)
  if (!cursor?.startsWith(term)) return
  do yield decodeEntry(cursor.value())
  while (cursor.next() && cursor.startsWith(term))
}
