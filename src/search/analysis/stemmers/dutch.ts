import { dropInfix, dropPrefix, measure } from './dutch-regions.ts'
import {
  adjectives,
  derivations,
  diminutives,
  gradedAdjectives,
  participles,
  plurals,
  type Rule,
} from './dutch-rules.ts'
import type { Ending } from './endings.ts'
import { replace } from './endings.ts'

/** The Dutch stemmer of Snowball, by Kraaij and Pohlmann: https://snowballstem.org/algorithms/dutch/stemmer.html */
export const dutch = (word: string): string => {
  const regions = measure(word)
  let stem: string | undefined
  for (const table of [plurals, diminutives, derivations]) stem = apply(table, stem ?? word, regions) ?? stem
  stem = apply(adjectives, stem ?? word, regions) ?? apply(gradedAdjectives, stem ?? word, regions) ?? stem
  for (const drop of [dropPrefix, dropInfix]) {
    const dropped = drop(stem ?? word)
    if (dropped !== undefined) stem = apply(participles, dropped, measure(dropped)) ?? dropped
  }
  if (/[kfp]t$/.test(stem ?? word)) stem = (stem ?? word).slice(0, -1)
  return stem === undefined ? word : undouble(stem)
}

type Regions = ReturnType<typeof measure>

/** The word by the rule of its longest ending; `undefined` if there is none, or if it has to stay. */
const apply = (table: (word: string) => Ending<Rule> | undefined, word: string, regions: Regions) => {
  const ending = table(word)
  return ending?.action(replace(word, ending.suffix), regions)
}

const undouble = (stem: string) => {
  if (/([bcdfghjklmpqrstvwxz])\1$|(?<!^i)nn$/.test(stem)) return stem.slice(0, -1)
  return stem.replace(/v$/, 'f').replace(/z$/, 's')
}
