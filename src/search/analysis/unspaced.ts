import { kinds } from './characters.ts'
import { endOfCluster, kindAt, type Visit } from './segment.ts'

/** Visits a run of Thai, Lao, Khmer or Burmese by the words that the runtime's dictionaries find in it; the run's end. */
export const visitUnspaced = (text: string, from: number, visit: Visit) => {
  let end = from
  for (let start = from; end < text.length && kindAt(text, end) === kinds.unspaced; start = end) {
    while (end < text.length && end - start < longest && kindAt(text, end) === kinds.unspaced) {
      end = endOfCluster(text, end)
    }
    for (const { segment, index, isWordLike } of segmenter.segment(text.slice(start, end))) {
      if (isWordLike) visit(start + index, start + index + segment.length)
    }
  }
  return end
}

/** A longer run is cut: no sentence is as long, and the dictionaries' time need not be linear. */
const longest = 1024

const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
