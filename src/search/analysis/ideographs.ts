import { kinds } from './characters.ts'
import { endOfCluster, kindAt, type Visit } from './segment.ts'

/** Visits a run of Chinese or Japanese by overlapping pairs, in a document its last character too; the run's end. */
export const visitIdeographs = (text: string, from: number, inDocument: boolean, visit: Visit) => {
  let start = from
  let end = endOfCluster(text, from)
  while (end < text.length && kindAt(text, end) === kinds.ideograph) {
    const next = endOfCluster(text, end)
    visit(start, next)
    start = end
    end = next
  }
  if (inDocument || start === from) visit(start, end)
  return end
}
