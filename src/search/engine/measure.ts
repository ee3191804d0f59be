import { Reader, toBytes, toText } from './bytes.ts'
import type { Library } from './library.ts'
import type { Measures, Query } from './query.ts'

/** What one shard adds to what scores are made of; of expansions the `most` in the most documents. */
export function measure(library: Library, { words, last }: Query, most: number): Measures {
  const { documents, length, segments } = library
  const frequencies = words.map(({ term }) => {
    const key = toBytes(term)
    return [term, segments.reduce((sum, segment) => sum + (segment.find(key)?.change ?? 0), 0)] as const
  })
  const expansions = last ? expand(library, last.word, most, new Set(words.map(({ term }) => term))) : {}
  return { documents, length, frequencies: Object.fromEntries(frequencies), expansions }
}

/** The terms of the words that begin so, but for the query's own, with the documents that these words are in. */
function expand(library: Library, word: string, most: number, without: ReadonlySet<string>) {
  const key = `${most} ${word}`
  const known = library.expansions.get(key) ?? mostFrequent(begunBy(library, word)).slice(0, most + mostWords)
  if (library.expansions.size >= kept) library.expansions.clear()
  if (known.length <= longest) library.expansions.set(key, known)
  return Object.fromEntries(known.filter(([term]) => !without.has(term)).slice(0, most))
}

/** No query has more words. */
const mostWords = 100

/** Beginnings for which the terms are kept, and how many of these at the most. */
const [kept, longest] = [256, 1024]

/** Each word counts by itself, also where several are of one term. */
function begunBy({ segments }: Library, word: string): [string, number][] {
  const counts = new Map<string, number>()
  const prefix = toBytes(word)
  for (const { words } of segments) {
    const cursor = words.from(prefix)
    if (!cursor?.startsWith(prefix)) continue
    do {
      const value = new Reader(cursor.valueBytes)
      const change = value.signed()
      const term = toText(value.bytes, value.at, value.bytes.length)
      counts.set(term, (counts.get(term) ?? 0) + change)
    } while (cursor.next() && cursor.startsWith(prefix))
  }
  return [...counts].filter(([, count]) => count > 0)
}

/** Sorts terms in place, the most frequent first; of those in as many documents the first by UTF-16 units. */
export const mostFrequent = (counts: [string, number][]) =>
  counts.sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
