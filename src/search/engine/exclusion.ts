// Marks the documents that a query excludes with `-word` or `-"some words"`, so that a search skips them.
import { documentsWithAll, documentsWithPhrases } from './phrases.ts'
import type { Segment } from './segment.ts'

/**
 * Mark of an excluded document. Greater than any number of words or phrases of a query, so that no search accepts a document with
 * this mark.
 */
const excludedMark = 0xffff

/**
 * Marks the documents that a query excludes. The returned function sets the marks back to 0. With `inOrder`, a document is excluded
 * if it has the words of an exclusion one directly after the other; without, if it has all of them in any place. Typeahead cannot
 * check the order, since it stores no positions.
 */
export function markExcluded(
  segment: Segment,
  runs: readonly Uint8Array[][],
  inOrder: boolean,
  marks: Uint16Array,
): () => void {
  const excluded = runs.map((run) =>
    inOrder && run.length > 1 ? documentsWithPhrases(segment, [run]) : documentsWithAll(segment, run),
  )
  for (const documents of excluded) for (const document of documents) marks[document] = excludedMark
  return () => {
    for (const documents of excluded) for (const document of documents) marks[document] = 0
  }
}
