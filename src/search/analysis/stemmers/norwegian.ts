import { endings, replace } from './endings.ts'
import { regionAfter } from './regions.ts'

/** Stems a Norwegian word, by the algorithm of Snowball: https://snowballstem.org/algorithms/norwegian/stemmer.html */
export const norwegian = (word: string): string => {
  if (word.length < 3) return word
  // In a word such as "pc'en", the ending follows the apostrophe, so R1 begins there.
  const apostrophe = word.indexOf("'") + 1
  const r1 = Math.max(apostrophe || regionAfter(word, 'aeêioòóôuyæåø'), 3)
  return dropDerivation(dropConsonant(dropInflection(word, r1), r1), r1).replace(/'$/, '')
}

const inflections = endings<RegExp>({
  'a e ede ande ende ane ene hetene en heten ar er heter as es edes endes enes hetenes ens hetens ets et het ast': /$/,
  ers: /(giv|hav|skap|(?<!amm|ast|ind|kap|kk|lt|nk|omm|pp|v|øst))ers$/,
  s: /([bcdfghjlmnoptvyz]|(?<!e)r|[^aeêioòóôuyæåø]k)s$/,
  'erte ert': /$/,
})

const dropInflection = (word: string, r1: number) => {
  const ending = inflections(word, r1)
  if (!ending?.action.test(word)) return word
  return replace(word, ending.suffix, ending.suffix.startsWith('ert') ? 'er' : '')
}

const dropConsonant = (word: string, r1: number) =>
  word.length - 2 >= r1 && /[dv]t$/.test(word) ? word.slice(0, -1) : word

const derivations = endings({ 'leg eleg ig eig lig elig els lov elov slov hetslov': '' })

const dropDerivation = (word: string, r1: number) => replace(word, derivations(word, r1)?.suffix ?? '')
