import { nouns, pronouns, type Regions, residues, verbs } from './catalan-endings.ts'
import { regionAfter } from './regions.ts'
import { apply } from './rules.ts'

/** Stems a Catalan word, by the algorithm of Snowball: https://snowballstem.org/algorithms/catalan/stemmer.html */
export const catalan = (word: string): string => {
  const r1 = regionAfter(word, vowels)
  const regions: Regions = { r1, r2: regionAfter(word, vowels, r1) }
  const bare = apply(pronouns, word, regions) ?? word
  const stem = apply(nouns, bare, regions) ?? apply(verbs, bare, regions) ?? bare
  return (apply(residues, stem, regions) ?? stem).replace(/[áàéèíìóòúüï·]/g, (letter) => plain[letter] ?? letter)
}

const vowels = 'aeiouáàéèíïóòúü'

const plain: Record<string, string> = {
  ...{ á: 'a', à: 'a', é: 'e', è: 'e', í: 'i', ì: 'i', ó: 'o', ò: 'o', ú: 'u', ü: 'u', ï: 'i', '·': '.' },
}
