import { endings, liesIn, replace } from './endings.ts'
import { regionAfter, verbRegion } from './regions.ts'

/** Stems a Romanian word, by the algorithm of Snowball: https://snowballstem.org/algorithms/romanian/stemmer.html */
export const romanian = (word: string): string => {
  const marked = markConsonants(word.replaceAll('ş', 'ș').replaceAll('ţ', 'ț'))
  const rv = verbRegion(marked, vowels)
  const r1 = regionAfter(marked, vowels)
  const r2 = regionAfter(marked, vowels, r1)
  const { reduced, isReduced } = reduceCombinations(dropArticle(marked, r1), r1)
  const stem = dropStandard(reduced, r2) ?? (isReduced ? reduced : dropVerb(reduced, rv))
  return dropVowel(stem, rv).replaceAll('I', 'i').replaceAll('U', 'u')
}

const vowels = 'aeiouâîă'

/**
 * Writes `i` and `u` between vowels as capitals: they are consonants there, and rules about vowels must not match them. The
 * capitals are undone after stemming.
 */
const markConsonants = (word: string) =>
  word.replace(/([aeiouâîă])([iu])(?=[aeiouâîă])/g, (_, before, letter) => before + letter.toUpperCase())

const articles = endings<string>({
  'ul ului': '',
  aua: 'a',
  'ea ele elor': 'e',
  'ii iua iei iile iilor ilor ile': 'i',
  atei: 'at',
  'ație ația': 'ați',
})

const dropArticle = (word: string, r1: number) => {
  const ending = articles(word)
  if (!ending || !liesIn(word, ending.suffix, r1) || word.endsWith('abile')) return word
  return replace(word, ending.suffix, ending.action)
}

const combinations = endings<string>({
  'abilitate abilitati abilităi abilități': 'abil',
  ibilitate: 'ibil',
  'ivitate ivitati ivităi ivități': 'iv',
  'icitate icitati icităi icități icator icatori iciv iciva icive icivi icivă ical icala icale icali icală': 'ic',
  'ativ ativa ative ativi ativă ațiune atoare ator atori ătoare ător ători': 'at',
  'itiv itiva itive itivi itivă ițiune itoare itor itori': 'it',
})

/** Reduces combined endings repeatedly, and returns whether the word had any. */
const reduceCombinations = (word: string, r1: number): { reduced: string; isReduced: boolean } => {
  const ending = combinations(word)
  if (!ending || !liesIn(word, ending.suffix, r1)) return { reduced: word, isReduced: false }
  return { ...reduceCombinations(replace(word, ending.suffix, ending.action), r1), isReduced: true }
}

const standard = endings<string>({
  'at ata ată ati ate ut uta ută uti ute it ita ită iti ite ic ica ice ici ică abil abila abile abili abilă': '',
  'ibil ibila ibile ibili ibilă oasa oasă oase os osi oși ant anta ante anti antă ator atori': '',
  'itate itati ităi ități iv iva ive ivi ivă': '',
  'iune iuni': 't',
  'ism isme ist ista iste isti istă iști': 'ist',
})

/** Removes a standard ending. Returns `undefined` if the word has none. */
const dropStandard = (word: string, r2: number) => {
  const ending = standard(word)
  if (!ending || !liesIn(word, ending.suffix, r2)) return undefined
  const stem = replace(word, ending.suffix)
  if (ending.action !== 't') return stem + ending.action
  return stem.endsWith('ț') ? `${stem.slice(0, -1)}t` : undefined
}

const verbs = endings<boolean>({
  'are ere ire âre ind ând indu ându eze ească ez ezi ează esc ești ește ăsc ăști ăște am ai au eam eai ea eați eau': true,
  'iam iai ia iați iau ui ași arăm arăți ară uși urăm urăți ură iși irăm irăți iră âi âși ârăm ârăți âră': true,
  'asem aseși ase aserăm aserăți aseră isem iseși ise iserăm iserăți iseră âsem âseși âse âserăm âserăți âseră': true,
  'usem useși use userăm userăți useră': true,
  'ăm ați em eți im iți âm âți seși serăm serăți seră sei se sesem seseși sese seserăm seserăți seseră': false,
})

/** Removes an ending of a verb. Some endings are removed only after a consonant or `u` that lies in RV. */
const dropVerb = (word: string, rv: number) => {
  const ending = verbs(word, rv)
  if (!ending) return word
  const stem = replace(word, ending.suffix)
  return ending.action && (stem.length <= rv || /[aeioâîă]$/.test(stem)) ? word : stem
}

const dropVowel = (word: string, rv: number) => {
  const vowel = /(ie|[aeiă])$/.exec(word)?.[0] ?? ''
  return liesIn(word, vowel, rv) ? replace(word, vowel) : word
}
