import { endOfCluster, kindAt, type Visit } from './segment.ts'

/**
 * Visits the overlapping pairs of characters of a run of one kind, in a document its last character too; returns where the
 * run ends. Text without spaces, such as Chinese, is found by pairs whatever its words are.
 */
export const visitPairs = (text: string, from: number, inDocument: boolean, visit: Visit) => {
  const kind = kindAt(text, from)
  let start = from
  let end = endOfCluster(text, from)
  while (end < text.length && kindAt(text, end) === kind) {
    const next = endOfCluster(text, end)
    visit(start, next)
    start = end
    end = next
  }
  if (inDocument || start === from) visit(start, end)
  return end
}
