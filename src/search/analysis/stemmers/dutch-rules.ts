// Tables of the endings that the Dutch stemmer removes or replaces, with their conditions.
import type { measure } from './dutch-regions.ts'
import { endings } from './endings.ts'
import { type SuffixRule as AnyRule, within } from './rules.ts'

/** What happens to an ending of a Dutch word, by the regions R1 and R2. */
type Rule = AnyRule<ReturnType<typeof measure>>

/** A rule that replaces an ending which lies in R1, if the stem before it fulfils the condition `behind`. */
const inR1 = (replacement = '', behind: (stem: string) => boolean = () => true): Rule => {
  return (stem, { r1 }) => (stem.length >= r1 && behind(stem) ? stem + replacement : undefined)
}

const endsInConsonant = (stem: string) => /[^aeiouyäáàâëéèêïíìîöóòôüúùû]$/.test(stem) && !stem.endsWith('ij')

const endsInVowel = (stem: string) => /(ij|[aeiouyäáàâëéèêïíìîöóòôüúùû])$/.test(stem)

/** Doubles the last vowel of a stem where the inflected form had a long vowel in an open syllable, as Dutch spelling requires. */
const lengthen = (stem: string) => {
  if (/[^aeiouywxäáàâëéèêïíìîöóòôüúùû]$/.test(stem)) {
    const end = stem.slice(-1)
    const open = stem.slice(0, -1)
    if (/[ei]ë$/.test(open)) return `${open.replace(/ië$/, 'ie')}e${end}`
    if (/(?<![aeiouäáàâëéèêïíìîöóòôüúùû])[aäáàâoöóòôuüúùû]$/.test(open)) return open + open.slice(-1) + end
    if (isLongE.test(open)) return open + open.slice(-1) + end
  }
  return stem
}

const isLongE =
  /(?<![aeiouäáàâëéèêïíìîöóòôüúùû])(?<!([aäáàâiïíìîoöóòôuüúùû]|^[eëéèê]|[^aeiouäáàâëéèêïíìîöóòôüúùû][aäáàâiïíìîoöóòôuüúùû].).)[eéèê]$/

const lengthened =
  (rule: Rule): Rule =>
  (stem, regions) => {
    const found = rule(stem, regions)
    return found === undefined ? undefined : lengthen(found)
  }

/** Endings of plurals and genitives. */
export const plurals = endings<Rule>({
  "'s": (stem) => stem,
  s: (stem, { r1 }) =>
    stem.length >= r1 && !(stem.endsWith('t') && stem.length > r1) && endsInConsonant(stem) ? stem : undefined,
  ies: inR1('ie'),
  es: (stem, regions) => {
    const open = stem.slice(0, -2)
    const isClosed = /[ae]r$/.test(stem) && open.length >= regions.r1 && endsInConsonant(open)
    if (isClosed) return stem.endsWith('ar') ? lengthen(stem) : stem
    return inR1('e', endsInConsonant)(stem, regions)
  },
  és: inR1('é'),
  aus: inR1('au', endsInVowel),
  en: (stem, regions) => {
    if (stem.endsWith('hed') && stem.length - 3 >= regions.r1) return `${stem.slice(0, -3)}heid`
    if (stem.endsWith('nd')) return stem
    const open = stem.slice(0, -1)
    if (stem.endsWith('d') && open.length >= regions.r1 && endsInConsonant(open)) return open
    if (/[ij]$/.test(stem) && endsInVowel(open)) return stem
    return lengthened(inR1('', endsInConsonant))(stem, regions)
  },
  nde: (stem) => `${stem}nd`,
})

const shorten: Rule = (stem, regions) => {
  if (stem.endsWith("'t")) return stem.slice(0, -2)
  if (stem.endsWith('et')) {
    const shorter = inR1('', endsInConsonant)(stem.slice(0, -2), regions)
    if (shorter !== undefined) return shorter
  }
  if (stem.endsWith('rnt')) return stem.slice(0, -1)
  if (stem.endsWith('t') && stem.length - 1 >= regions.r1 && endsInVowel(stem.slice(0, -2))) return stem.slice(0, -1)
  if (stem.endsWith('ink')) return `${stem.slice(0, -1)}g`
  if (stem.endsWith('mp')) return stem.slice(0, -1)
  if (stem.endsWith("'") && stem.length - 1 >= regions.r1) return stem.slice(0, -1)
  return inR1('', endsInConsonant)(stem, regions)
}

/** Endings of diminutives, and of inflected adjectives and verbs. */
export const diminutives = endings<Rule>({
  je: shorten,
  ge: inR1('g'),
  lijke: inR1('lijk'),
  ische: inR1('isch'),
  de: inR1('', endsInConsonant),
  te: inR1('t'),
  se: inR1('s'),
  re: inR1('r'),
  le: lengthened(inR1('l')),
  ene: lengthened(inR1('en', endsInConsonant)),
  ieve: inR1('ief', endsInConsonant),
})

/** Endings that derive nouns from verbs and adjectives. */
export const derivations = endings<Rule>({
  atie: inR1('eer'),
  iteit: lengthened(inR1()),
  'heid sel ster': inR1(),
  rder: (stem) => `${stem}r`,
  'ing isme erij': (stem, regions) => (stem.endsWith('ild') ? `${stem}er` : lengthened(inR1())(stem, regions)),
  arij: inR1('aar', endsInConsonant),
  fie: lengthened(within('r2', 'f')),
  gie: lengthened(within('r2', 'g')),
  tst: inR1('t', endsInConsonant),
  dst: inR1('d', endsInConsonant),
})

/** Endings that derive adjectives from nouns and verbs. */
export const adjectives = endings<Rule>({
  ioneel: inR1('ie'),
  atief: inR1('eer'),
  baar: inR1(),
  naar: inR1('n', endsInVowel),
  laar: inR1('l', endsInVowel),
  raar: inR1('r', endsInVowel),
  tant: inR1('teer'),
  'lijker lijkst': inR1('lijk'),
  'achtig achtiger achtigst': inR1(),
  'eriger erigst erig end': lengthened(inR1('', endsInConsonant)),
})

/** Endings of adjectives that are removed only if the word has none of `adjectives`. */
export const gradedAdjectives = endings<Rule>({
  'iger igst ig': lengthened(inR1('', (stem) => stem !== 'inn' && endsInConsonant(stem))),
})

/** Endings of a participle whose prefix was removed. */
export const participles = endings<Rule>({
  d: (stem, regions) => {
    if (stem.endsWith('n') && stem.length > regions.r1) return undefined
    return inR1(stem === 'in' ? 'n' : '', endsInConsonant)(stem, regions)
  },
  t: (stem, regions) => {
    const stays = (stem.endsWith('h') && stem.length > regions.r1) || stem === 'en'
    return stays ? undefined : inR1('', endsInConsonant)(stem, regions)
  },
})
