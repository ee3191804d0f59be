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

/** The terms of the words that begin so, with the documents that these words are in, each word counted by itself. */
function expand({ segments }: Library, word: string, most: number, without: ReadonlySet<string>) {
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
  const offered = [...counts].filter(([term, count]) => count > 0 && !without.has(term))
  return Object.fromEntries(mostFrequent(offered).slice(0, most))
}

/** The most frequent first; of equals the first in the alphabet. */
export const mostFrequent = (counts: [string, number][]) =>
  counts.sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
