import { kinds } from './characters.ts'
import { endOfCluster, kindAt, type Visit } from './segment.ts'

/**
 * Visits Thai, Lao, Khmer or Burmese by the words that the runtime's dictionaries find in it, together with what has no
 * words and stands between; where that ends.
 */
export const visitUnspaced = (text: string, from: number, visit: Visit) => {
  let end = from
  while (end < text.length && end - from < longest && isWithin(text, end)) end = endOfCluster(text, end)
  for (const { segment, index, isWordLike } of wordsOf(text.slice(from, end))) {
    const start = from + index
    if (isWordLike && kindAt(text, start) === kinds.unspaced) visit(start, start + segment.length)
  }
  return end
}

/** A longer run is cut: no sentence is as long, and the dictionaries' time need not be linear. */
const longest = 1024

const isWithin = (text: string, at: number) => {
  const kind = kindAt(text, at)
  return kind === kinds.unspaced || kind === kinds.gap
}

const wordsOf = (text: string) => {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  return segmenter.segment(text)
}

/** Made when it is needed, since its dictionaries take the runtime long to load. */
let segmenter: Intl.Segmenter | undefined
