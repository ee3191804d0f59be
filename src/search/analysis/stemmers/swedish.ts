import { endings, replace } from './endings.ts'
import { regionAfter } from './regions.ts'

/** Stems a Swedish word, by the algorithm of Snowball: https://snowballstem.org/algorithms/swedish/stemmer.html */
export const swedish = (word: string): string => {
  if (word.length < 3) return word
  const r1 = Math.max(regionAfter(word, 'aeiouyäåö'), 3)
  return dropDerivation(dropConsonant(dropInflection(word, r1), r1), r1)
}

const inflections = endings<RegExp>({
  'a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter or as arnas ernas': /$/,
  'ornas es ades andes ens arens hetens erns at andet het ast': /$/,
  s: /[bcdfghjklmnoprtvy]s$/,
  et: /$/,
})

const dropInflection = (word: string, r1: number) => {
  const ending = inflections(word, r1)
  if (ending?.suffix === 's' && hasArticle(word, 'ets')) return word.slice(0, -3)
  if (!ending?.action.test(word) || (ending.suffix === 'et' && !hasArticle(word, 'et'))) return word
  return replace(word, ending.suffix)
}

/** Whether the ending is an article. In words such as `frihet`, `alfabet` and `raket` it is a part of the word. */
const hasArticle = (word: string, ending: string) => {
  const stem = word.endsWith(ending) ? replace(word, ending) : ''
  return /.[aeiouyäåö][^aeiouyäåö]$/.test(stem) && !notBeforeArticle.test(stem)
}

const notBeforeArticle = /(h|iet|uit|fab|cit|dit|alit|ilit|mit|nit|pit|rit|sit|tit|ivit|kvit|xit|kom|rak|pak|stak)$/

const dropConsonant = (word: string, r1: number) =>
  word.length - 2 >= r1 && /(dd|gd|nn|dt|gt|kt|tt)$/.test(word) ? word.slice(0, -1) : word

const derivations = endings<string>({ 'lig ig els': '', öst: 'ös', fullt: 'full' })

const dropDerivation = (word: string, r1: number) => {
  const ending = derivations(word, r1)
  if (!ending || (ending.suffix === 'öst' && !/[iklnprtuv]öst$/.test(word))) return word
  return replace(word, ending.suffix, ending.action)
}
