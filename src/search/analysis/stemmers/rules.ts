// Rules for endings that depend on the regions of a word, such as R1 and R2.
import { replace, type SuffixEnding } from './endings.ts'

/** A rule for an ending: returns the new word for the stem without the ending, or `undefined` if the ending must stay. */
export type SuffixRule<Regions> = (stem: string, regions: Regions) => string | undefined

/** Applies the rule of the longest ending. Returns `undefined` if the word has no such ending, or if the ending must stay. */
export const apply = <Regions>(
  find: (word: string, from?: number) => SuffixEnding<SuffixRule<Regions>> | undefined,
  word: string,
  regions: Regions,
  from = 0,
) => {
  const ending = find(word, from)
  return ending?.action(replace(word, ending.suffix), regions)
}

/** A rule that replaces an ending, if the ending lies in a region. */
export const within =
  <Region extends string>(region: Region, replacement = ''): SuffixRule<Record<Region, number>> =>
  (stem, regions) =>
    stem.length >= regions[region] ? stem + replacement : undefined
