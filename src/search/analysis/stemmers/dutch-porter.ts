import { endings, liesIn, replace } from './endings.ts'
import { regionAfter } from './regions.ts'

/** Stems a Dutch word, by Porter's algorithm: https://snowballstem.org/algorithms/dutch_porter/stemmer.html */
export const dutchPorter = (word: string): string => {
  const marked = markConsonants(word.replace(/[äáëéïíöóüú]/g, (letter) => letter.normalize('NFD').charAt(0)))
  const start = marked.length < 3 ? marked.length : regionAfter(marked, vowels)
  const r1 = Math.max(start, 3)
  const r2 = regionAfter(marked, vowels, start)
  const bare = dropE(dropPlural(marked, r1), r1)
  const stem = dropDerivation(dropQuality(bare.stem, r1, r2), r1, r2, bare.isDropped)
  return singleVowel(stem).replaceAll('Y', 'y').replaceAll('I', 'i')
}

const vowels = 'aeiouyè'

/**
 * Writes `y` and `i` as capitals where they are consonants, so that rules about vowels do not match them. The capitals are undone
 * after stemming.
 */
const markConsonants = (word: string) => {
  const letters = [...word.replace(/^y/, 'Y')]
  for (let at = 1; at < letters.length; at++) {
    if (!vowels.includes(letters[at - 1] ?? ' ')) continue
    if (letters[at] === 'y') letters[at++] = 'Y'
    else if (letters[at] === 'i' && vowels.includes(letters[at + 1] ?? ' ')) letters[at++] = 'I'
    else if (letters[at] === 'i') at++
  }
  return letters.join('')
}

const undouble = (word: string) => (/(kk|dd|tt)$/.test(word) ? word.slice(0, -1) : word)

/** Removes `-en` or `-ene`, if the ending lies in R1 after a consonant. */
const dropEn = (word: string, ending: string, r1: number) => {
  const stem = replace(word, ending)
  return stem.length >= r1 && /[^aeiouyè]$/.test(stem) && !stem.endsWith('gem') ? undouble(stem) : word
}

const plurals = endings({ heden: '', 'en ene': '', 's se': '' })

const dropPlural = (word: string, r1: number) => {
  const suffix = plurals(word)?.suffix
  if (!suffix || !liesIn(word, suffix, r1)) return word
  if (suffix === 'heden') return replace(word, suffix, 'heid')
  if (suffix.startsWith('e')) return dropEn(word, suffix, r1)
  return /[^aeiouyèj]se?$/.test(word) ? replace(word, suffix) : word
}

const dropE = (word: string, r1: number) => {
  const isDropped = word.length > r1 && /[^aeiouyè]e$/.test(word)
  return { stem: isDropped ? undouble(word.slice(0, -1)) : word, isDropped }
}

const dropQuality = (word: string, r1: number, r2: number) => {
  if (!/(?<!c)heid$/.test(word) || word.length - 4 < r2) return word
  const stem = word.slice(0, -4)
  return stem.endsWith('en') ? dropEn(stem, 'en', r1) : stem
}

const derivations = endings({ 'end ing ig lijk baar bar': '' })

const dropDerivation = (word: string, r1: number, r2: number, isEDropped: boolean) => {
  const suffix = derivations(word)?.suffix
  if (!suffix || !liesIn(word, suffix, r2) || (suffix === 'bar' && !isEDropped)) return word
  const stem = replace(word, suffix)
  if (suffix === 'ig') return stem.endsWith('e') ? word : stem
  if (suffix === 'lijk') return dropE(stem, r1).stem
  if (suffix.endsWith('r')) return stem
  return /(?<!e)ig$/.test(stem) && stem.length - 2 >= r2 ? stem.slice(0, -2) : undouble(stem)
}

const singleVowel = (word: string) =>
  word.replace(/(?<=[^aeiouyè])(aa|ee|oo|uu)(?=[^aeiouyèI]$)/, (pair) => pair.charAt(0))
