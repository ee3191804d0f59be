import { endings, liesIn, replace } from './endings.ts'
import { regionAfter } from './regions.ts'

/** Stems an English word, by Porter's algorithm of 1980: https://snowballstem.org/algorithms/porter/stemmer.html */
export const porter = (word: string): string => {
  // Writes `y` as a capital where it is a consonant, so that rules about vowels do not match it. The capital is undone after
  // stemming.
  const marked = word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y')
  const r1 = regionAfter(marked, vowels)
  const r2 = regionAfter(marked, vowels, r1)
  const stem = dropVerbEnding(dropPlural(marked), r1).replace(/(?<=[aeiouy].*)[yY]$/, 'i')
  return dropLast(dropSuffix(shorten(unify(stem, r1), r1), r2), r1, r2).replaceAll('Y', 'y')
}

const vowels = 'aeiouy'

const isShort = (word: string) => /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word)

const dropPlural = (word: string) => word.replace(/(?<=ss|i)es$|(?<!s)s$/, '')

const dropVerbEnding = (word: string, r1: number) => {
  if (word.endsWith('eed')) return word.length - 3 >= r1 ? word.slice(0, -1) : word
  const stem = word.replace(/(ed|ing)$/, '')
  return stem !== word && /[aeiouy]/.test(stem) ? mend(stem, r1) : word
}

const mend = (stem: string, r1: number) => {
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/([bdfgmnprt])\1$/.test(stem)) return stem.slice(0, -1)
  return stem.length === r1 && isShort(stem) ? `${stem}e` : stem
}

const unified = endings<string>({
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  abli: 'able',
  entli: 'ent',
  eli: 'e',
  'izer ization': 'ize',
  'ational ation ator': 'ate',
  'alli alism aliti': 'al',
  fulness: 'ful',
  'ousli ousness': 'ous',
  'iveness iviti': 'ive',
  biliti: 'ble',
})

const unify = (word: string, r1: number) => {
  const ending = unified(word)
  return ending && liesIn(word, ending.suffix, r1) ? replace(word, ending.suffix, ending.action) : word
}

const shortened = endings<string>({ alize: 'al', 'icate iciti ical': 'ic', 'ative ful ness': '' })

const shorten = (word: string, r1: number) => {
  const ending = shortened(word)
  return ending && liesIn(word, ending.suffix, r1) ? replace(word, ending.suffix, ending.action) : word
}

const dropped = endings<RegExp>({
  'al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize': /$/,
  ion: /[st]ion$/,
})

const dropSuffix = (word: string, r2: number) => {
  const ending = dropped(word)
  return ending && liesIn(word, ending.suffix, r2) && ending.action.test(word) ? replace(word, ending.suffix) : word
}

const dropLast = (word: string, r1: number, r2: number) => {
  const stem = word.slice(0, -1)
  const isDropped = word.endsWith('e') && (stem.length >= r2 || (stem.length >= r1 && !isShort(stem)))
  const shorter = isDropped ? stem : word
  return shorter.endsWith('ll') && shorter.length - 1 >= r2 ? shorter.slice(0, -1) : shorter
}
