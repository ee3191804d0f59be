import { replace, type SuffixEnding } from './endings.ts'

/** What becomes of a stem without its ending; `undefined` where the ending has to stay. */
export type SuffixRule<Regions> = (stem: string, regions: Regions) => string | undefined

/** The word by the rule of its longest ending; `undefined` if there is none, or if it has to stay. */
export const apply = <Regions>(
  find: (word: string, from?: number) => SuffixEnding<SuffixRule<Regions>> | undefined,
  word: string,
  regions: Regions,
  from = 0,
) => {
  const ending = find(word, from)
  return ending?.action(replace(word, ending.suffix), regions)
}

/** Puts something in the place of an ending that lies in a region. */
export const within =
  <Region extends string>(region: Region, replacement = ''): SuffixRule<Record<Region, number>> =>
  (stem, regions) =>
    stem.length >= regions[region] ? stem + replacement : undefined
