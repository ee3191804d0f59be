import { all, any, type BackwardCursor, type BackwardRule, maybe, open, remove } from './backward.ts'
import { dropNounSuffixes } from './turkish-nouns.ts'
import { suffixes } from './turkish-suffixes.ts'

/**
 * Stems a Turkish word, by the algorithm of Snowball. The letters `ı` and `i` are distinct:
 * https://snowballstem.org/algorithms/turkish/stemmer.html
 */
export const turkish = (word: string): string => {
  const name = withoutSuffixOfName(word.replace(/^'+(?=.)/, ''))
  if (!/[aeıioöuü].*[aeıioöuü]/.test(name)) return name
  const cursor: BackwardCursor = { word: name, at: name.length, to: name.length }
  if (!dropVerbSuffixes(cursor)) return cursor.word
  cursor.at = cursor.word.length
  dropNounSuffixes(cursor)
  return restoreEnd(cursor.word)
}

/** Removes the suffix of a name, which follows an apostrophe: `istanbul'da` becomes `istanbul`. */
const withoutSuffixOfName = (word: string) => {
  const apostrophe = word.indexOf("'", 2)
  return apostrophe < 0 ? word : word.slice(0, apostrophe)
}

/**
 * Restores the end of a stem. No Turkish word ends in `d` or `g`, so a vowel is added; other consonants that were soft between
 * vowels become hard again.
 */
const restoreEnd = (stem: string) => {
  if (stem === 'ad' || stem === 'soyad') return stem
  const vowel = /([aeıioöuü])[^aeıioöuü]*[dg]$/.exec(stem)?.[1]
  return vowel ? stem + vowel.replace('a', 'ı').replace('e', 'i').replace('o', 'u').replace('ö', 'ü') : harden(stem)
}

const harden = (stem: string) => stem.replace(/[bcdğ]$/, (consonant) => hard[consonant] ?? consonant)

const hard: Record<string, string> = { b: 'p', c: 'ç', d: 't', ğ: 'k' }

/** Removes the suffixes that make a verb from a noun. Returns whether suffixes of nouns may precede them. */
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
