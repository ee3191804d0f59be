// Computes the statistics that one shard contributes to the score of a query: how many of its documents have each term.
import { ByteReader, toBytes, toText } from './bytes.ts'
import type { CollectionStatistics, Query } from './query.ts'
import type { SegmentStore } from './segment-store.ts'

/**
 * Returns the document frequencies of the query's terms, and the `maxExpansions` most frequent terms to which its prefix expands.
 */
export function shardStatistics(
  store: SegmentStore,
  { words, last }: Query,
  maxExpansions: number,
): CollectionStatistics {
  const { documentCount, totalLength, segments } = store
  const documentFrequencies = words.map(({ term }) => {
    const key = toBytes(term)
    return [term, segments.reduce((sum, segment) => sum + (segment.find(key)?.change ?? 0), 0)] as const
  })
  const expansions = last ? expand(store, last.word, maxExpansions, new Set(words.map(({ term }) => term))) : {}
  return { documentCount, totalLength, documentFrequencies: Object.fromEntries(documentFrequencies), expansions }
}

/** Returns the terms of the words that begin with a prefix, with their document frequencies. The query's own terms are left out. */
function expand(store: SegmentStore, prefix: string, maxExpansions: number, queryTerms: ReadonlySet<string>) {
  const key = `${maxExpansions} ${prefix}`
  const known =
    store.expansions.get(key) ?? byFrequency(countExpansions(store, prefix)).slice(0, maxExpansions + maxQueryWords)
  if (store.expansions.size >= maxCachedPrefixes) store.expansions.clear()
  if (known.length <= maxCachedExpansions) store.expansions.set(key, known)
  return Object.fromEntries(known.filter(([term]) => !queryTerms.has(term)).slice(0, maxExpansions))
}

/** Maximum number of words in a query. The cache keeps this number of additional expansions, since each query leaves out its own terms. */
const maxQueryWords = 100

/** Maximum number of prefixes in the cache. A prefix with more expansions than `maxCachedExpansions` is not cached. */
const maxCachedPrefixes = 256
const maxCachedExpansions = 1024

/**
 * Counts the documents of each term whose words begin with a prefix. A document that has several words of a term counts several
 * times.
 */
function countExpansions({ segments }: SegmentStore, word: string): [string, number][] {
  const counts = new Map<string, number>()
  const prefix = toBytes(word)
  for (const { words } of segments) {
    const cursor = words.seek(prefix)
    if (!cursor?.startsWith(prefix)) continue
    do {
      const value = new ByteReader(cursor.valueBytes)
      const change = value.signed()
      const term = toText(value.bytes, value.at, value.bytes.length)
      counts.set(term, (counts.get(term) ?? 0) + change)
    } while (cursor.next() && cursor.startsWith(prefix))
  }
  return [...counts].filter(([, count]) => count > 0)
}

/**
 * Sorts terms in place: the most frequent first, terms of equal frequency by UTF-16 units, so that all shards use the same order.
 */
export const byFrequency = (counts: [string, number][]) =>
  counts.sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
