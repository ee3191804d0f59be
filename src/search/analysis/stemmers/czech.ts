import { endings, liesIn, replace } from './endings.ts'
import { apply, type SuffixRule } from './rules.ts'

/** Stems a Czech word, by the algorithm of Snowball: https://snowballstem.org/algorithms/czech/stemmer.html */
export const czech = (word: string): string => {
  if (word.length < 3) return word
  const r1 = Math.max(beginning.exec(word)?.[0].length ?? word.length, 3)
  const stem = apply(cases, word, undefined, r1) ?? word
  const ending = possessives(stem)
  if (!ending || !liesIn(stem, ending.suffix, r1)) return stem
  return ending.action(replace(stem, ending.suffix), undefined) ?? stem
}

/**
 * Matches the part of a word before the region R1: up to the first consonant after a vowel. `l` and `r` count as vowels, except at
 * the beginning of the word.
 */
const beginning = /^([aeiouyáěéíóúůý]|..*?[aeiouyáěéíóúůýlr]).*?[^aeiouyáěéíóúůý]/s

const softened = endings<string>({ c: 'k', nc: 'nc', avc: 'avc', ovc: 'ovc', ínc: 'ínk' })

const softenedBeforeI = endings<string>({
  ...{ c: 'k', nc: 'nc', avc: 'avc', ovc: 'ovc', ínc: 'ínk', čt: 'ck', št: 'sk' },
  ...{ ášt: 'ášt', dešt: 'dešt', išt: 'išt', íšt: 'íšt', lešt: 'lešt', poušt: 'poušt' },
})

const harden = (stem: string, table: typeof softened) => {
  const ending = table(stem)
  return ending ? replace(stem, ending.suffix, ending.action) : stem
}

const hardenBeforeI: SuffixRule<undefined> = (stem) => harden(stem, softenedBeforeI)

/**
 * A rule that removes an ending except for its last letter, which belongs to the stem. Applies only to stems that match a pattern.
 */
const keep =
  (last: string, pattern: RegExp): SuffixRule<undefined> =>
  (stem) =>
    pattern.test(stem) ? stem + last : undefined

const cases = endings<SuffixRule<undefined>>({
  'atech atům ách ých ové ými ata aty ama ami ovi at ám us ům ým mi ou ého ém ému u y ů a o á é ý': (stem) => stem,
  'ě ětem ěmi ěte ěti ěm': (stem) => stem,
  'e ech em emi': (stem) => harden(stem, softened),
  'ete eti etem': (stem) => (/(?<!e)č$|(?<!t)l$|(?<!e)s$|[řž]$/.test(stem) ? stem : `${stem}et`),
  eb: keep('b', /[^aeiouyáěéíóúůý]$(?<!tř)/),
  ec: (stem) => (/[^aeiouyáěéíóúůý]$/.test(stem) ? harden(`${stem}c`, softened) : undefined),
  ek: keep('k', /[^aeiouyáěéíóúůý]$(?<!dot|obl|sn)/),
  ěk: (stem) => (stem.endsWith('n') ? `${stem.slice(0, -1)}ňk` : undefined),
  eň: keep('n', /[bcčdhkprsštvzž]$/),
  et: keep('t', /(uc|č|h|ok|kar)$/),
  ev: keep('v', /[hknrtz]$/),
  'ť ťmi': (stem) => `${stem}t`,
  'i í ích ího ím ími ímu': hardenBeforeI,
})

const possessives = endings<SuffixRule<undefined>>({ 'ov ův': (stem) => stem, in: hardenBeforeI })
