import { endings } from './endings.ts'
import { irregular } from './estonian-verbs.ts'
import { regionAfter } from './regions.ts'
import { apply, type SuffixRule } from './rules.ts'

/** Stems an Estonian word, by the algorithm of Snowball: https://snowballstem.org/algorithms/estonian/stemmer.html */
export const estonian = (word: string): string => {
  const known = irregular.get(word)
  if (known !== undefined) return known
  const r1 = regionOf(word)
  const plain = apply(emphases, word, undefined, r1) ?? word
  const verb = apply(verbs, plain, undefined, r1)
  const stem = verb ?? nouns.reduce((noun, table) => apply(table, noun, undefined, r1) ?? noun, plain)
  return undouble(stem, r1).replace(/'$/, '')
}

/** Returns the offset of the region in which endings are removed: after an apostrophe, if the word has one, else R1. */
const regionOf = (word: string) => word.indexOf("'", 2) + 1 || regionAfter(word, 'aeiouõäöü')

const endsInLongVowel = (stem: string) => /(aa|ee|ii|oo|uu|ää|öö|üü|õõ)$/.test(stem)

const whole = (stem: string) => stem

/** A rule that replaces an ending by `ending`. */
const as =
  (ending: string): SuffixRule<undefined> =>
  (stem) =>
    stem + ending

const behind =
  (pattern: RegExp): SuffixRule<undefined> =>
  (stem) =>
    pattern.test(stem) ? stem : undefined

const behindVowel: SuffixRule<undefined> = (stem) =>
  /[aeiuo']$/.test(stem) || endsInLongVowel(stem) ? stem : undefined

const emphases = endings<SuffixRule<undefined>>({
  gi: (stem) => (/.{3}[cjlmnqrvwxaeiouõäöü]$/.test(stem) && !endsInLongVowel(stem) ? stem : undefined),
  ki: behind(/.{3}[kptgbdshfšzž]$/),
})

const verbs = endings<SuffixRule<undefined>>({
  'nuksin nuksime nuksid nuksite ksin ksid ksime ksite mata takse dakse taks daks sime site sin': whole,
  akse: as('a'),
  'me da n b': behind(/[aeiouõäöü]$/),
})

const plurals: SuffixRule<undefined> = (stem) => {
  if (stem.length < 4) return `${stem}t`
  if (/[ml]is$|las$/.test(stem)) return `${stem}e`
  return stem.endsWith('t') ? `${stem}te` : stem
}

const nouns = [
  endings<SuffixRule<undefined>>({
    'lasse last lane lasi': as('lase'),
    'misse mist mine misi': as('mise'),
    'lisse list line lisi': as('lise'),
  }),
  endings<SuffixRule<undefined>>({ 'sse st le lt ga ks ta s l': behindVowel, t: behind(/.{4}$/) }),
  endings<SuffixRule<undefined>>({
    'ikkude ikke ike': as('iku'),
    sid: (stem) => (endsInLongVowel(stem) ? undefined : stem),
    te: plurals,
    'de d': behindVowel,
  }),
  endings<SuffixRule<undefined>>({ ma: whole, 'mai m': behind(/[aeiuo']$/) }),
  endings<SuffixRule<undefined>>({ i: behind(/[aeiuo']$/) }),
  endings<SuffixRule<undefined>>({ 'nu tu du va': whole }),
]

const undouble = (stem: string, r1: number) =>
  stem.length > r1 ? stem.replace(/([kpt])\1(?=[aeiouõäöü]$)/, '$1') : stem
