import type { BackwardCursor } from './backward.ts'
import { dropNounSuffixes } from './turkish-nouns.ts'
import { dropVerbSuffixes } from './turkish-verbs.ts'

/** The Turkish stemmer of Snowball; `ı` is not `i`: https://snowballstem.org/algorithms/turkish/stemmer.html */
export const turkish = (word: string): string => {
  const name = withoutSuffixOfName(word.replace(/^'+(?=.)/, ''))
  if (!/[aeıioöuü].*[aeıioöuü]/.test(name)) return name
  const cursor: BackwardCursor = { word: name, at: name.length, to: name.length }
  if (!dropVerbSuffixes(cursor)) return cursor.word
  cursor.at = cursor.word.length
  dropNounSuffixes(cursor)
  return mend(cursor.word)
}

/** `istanbul'da` is `istanbul`. */
const withoutSuffixOfName = (word: string) => {
  const apostrophe = word.indexOf("'", 2)
  return apostrophe < 0 ? word : word.slice(0, apostrophe)
}

/** No Turkish word ends in `d` or `g`, and a consonant that was soft between vowels is hard again at the end. */
const mend = (stem: string) => {
  if (stem === 'ad' || stem === 'soyad') return stem
  const vowel = /([aeıioöuü])[^aeıioöuü]*[dg]$/.exec(stem)?.[1]
  return vowel ? stem + vowel.replace('a', 'ı').replace('e', 'i').replace('o', 'u').replace('ö', 'ü') : harden(stem)
}

const harden = (stem: string) => stem.replace(/[bcdğ]$/, (consonant) => hard[consonant] ?? consonant)

const hard: Record<string, string> = { b: 'p', c: 'ç', d: 't', ğ: 'k' }
