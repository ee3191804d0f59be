import { endings, liesIn, replace } from './endings.ts'
import { regionAfter } from './regions.ts'

/** Stems a German word, by the algorithm of Snowball: https://snowballstem.org/algorithms/german/stemmer.html */
export const german = (word: string): string => {
  const marked = markConsonants(word).replace(/ß|ae|oe|ue|qu/g, (letters) => spellings[letters] ?? letters)
  const start = marked.length < 3 ? marked.length : regionAfter(marked, vowels)
  const r1 = Math.max(start, 3)
  const r2 = regionAfter(marked, vowels, start)
  const stem = dropDerivation(dropComparison(dropInflection(marked, r1), r1), r1, r2)
  return stem.replace(/(?<=..)'(s|sch)?$/, '').replace(/[UYäöü]/g, (letter) => plain[letter] ?? letter)
}

const vowels = 'aeiouyäöü'

/**
 * Writes `u` and `y` between vowels as capitals: they are consonants there, and rules about vowels must not match them. The
 * capitals are undone after stemming.
 */
const markConsonants = (word: string) =>
  word.replace(/(?<=[aeiouyäöü])[uy](?=[aeiouyäöü])/g, (letter) => letter.toUpperCase())

const spellings: Record<string, string> = { ß: 'ss', ae: 'ä', oe: 'ö', ue: 'ü' }

const plain: Record<string, string> = { U: 'u', Y: 'y', ä: 'a', ö: 'o', ü: 'u' }

const inflections = endings<RegExp>({
  em: /(?<!syst)em$/,
  'ern er erin erinnen e en es': /$/,
  s: /[bdfghklmnrt]s$/,
  'ln lns': /$/,
})

const dropInflection = (word: string, r1: number) => {
  const ending = inflections(word)
  if (!ending || !liesIn(word, ending.suffix, r1) || !ending.action.test(word)) return word
  const stem = replace(word, ending.suffix, ending.suffix.startsWith('l') ? 'l' : '')
  return /^e[ns]?$/.test(ending.suffix) && stem.endsWith('niss') ? stem.slice(0, -1) : stem
}

const comparisons = endings<RegExp>({
  'en er est': /$/,
  st: /...[bdfghklmnt]st$/,
  et: /(?<=[dfgklmnrstUzä])(?<!geordn|intern|plan|tick|tr)et$/,
})

const dropComparison = (word: string, r1: number) => {
  const ending = comparisons(word)
  return ending && liesIn(word, ending.suffix, r1) && ending.action.test(word) ? replace(word, ending.suffix) : word
}

/** Endings that derive words. `pattern` matches a further ending that may be removed from the rest, in R1 or R2. */
const derivations = endings<{ pattern: RegExp; inR1?: boolean }>({
  'end ung': { pattern: /(?<!e)ig$/ },
  'lich heit': { pattern: /e[rn]$/, inR1: true },
  keit: { pattern: /(lich|ig)$/ },
  'ig ik isch': { pattern: /(?!)/ },
})

const dropDerivation = (word: string, r1: number, r2: number) => {
  const ending = derivations(word)
  if (!ending || !liesIn(word, ending.suffix, r2) || /ei(g|k|sch)$/.test(word)) return word
  const stem = replace(word, ending.suffix)
  const beneath = ending.action.pattern.exec(stem)
  return beneath && beneath.index >= (ending.action.inR1 ? r1 : r2) ? stem.slice(0, beneath.index) : stem
}
