import { dropInfix, dropPrefix, measure } from './dutch-regions.ts'
import { adjectives, derivations, diminutives, gradedAdjectives, participles, plurals } from './dutch-rules.ts'
import { apply } from './rules.ts'

/**
 * Stems a Dutch word, by the algorithm of Kraaij and Pohlmann in Snowball: https://snowballstem.org/algorithms/dutch/stemmer.html
 */
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

const undouble = (stem: string) => {
  if (/([bcdfghjklmpqrstvwxz])\1$|(?<!^i)nn$/.test(stem)) return stem.slice(0, -1)
  return stem.replace(/v$/, 'f').replace(/z$/, 's')
}
