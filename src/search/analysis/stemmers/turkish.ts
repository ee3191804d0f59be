import { all, any, type BackwardCursor, type BackwardRule, maybe, open, remove } from './backward.ts'
import { dropNounSuffixes } from './turkish-nouns.ts'
import { suffixes } from './turkish-suffixes.ts'

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

/** Takes out what makes a verb of a noun; whether suffixes of nouns may be beneath. */
const dropVerbSuffixes = (cursor: BackwardCursor): boolean => {
  let isNoun = true
  const plural: BackwardRule = (at) => {
    isNoun = !dropPlural(at)
    return !isNoun
  }
  all(open, any(tense, adverb, plural, conditional, dropPerson, dropCopula), remove)(cursor)
  return isNoun
}

const { ymUs, yDU, ysA, yken, cAsInA, sUnUz, lAr, yUm, sUn, yUz, DUr, nUz } = suffixes

const nothing: BackwardRule = () => true

const tense = any(ymUs, yDU, ysA, yken)

const adverb = all(cAsInA, any(sUnUz, lAr, yUm, sUn, yUz, nothing), ymUs)

const dropPlural = all(lAr, remove, maybe(open, any(DUr, yDU, ysA, ymUs)))

const conditional = all(nUz, any(yDU, ysA))

const dropPerson = all(any(sUnUz, yUz, sUn, yUm), remove, maybe(open, ymUs))

const dropCopula = all(DUr, remove, maybe(open, any(sUnUz, lAr, yUm, sUn, yUz, nothing), ymUs))
