import { endings, replace } from './endings.ts'
import { regionAfter } from './regions.ts'

/** Stems a Polish word, by the algorithm of Snowball: https://snowballstem.org/algorithms/polish/stemmer.html */
export const polish = (word: string): string => {
  const r1 = regionAfter(word, 'aąeęioóuy')
  const bare = replace(word, conditionals(word, Math.max(r1, shortest))?.suffix ?? '')
  const ending = suffixes(bare, shortest, ({ suffix, action }) => !action.inR1 || bare.length - suffix.length >= r1)
  if (!ending) return bare.length > 1 ? bare.replace(/[ćńśź]$/, (letter) => plain[letter] ?? letter) : bare
  const stem = replace(bare, ending.suffix)
  return drop(stem, ending.action, stem.length >= r1).replace(/(?<=..)'$/, '')
}

/** Minimum length of a stem in UTF-16 units. */
const shortest = 2

const plain: Record<string, string> = { ć: 'c', ń: 'n', ś: 's', ź: 'z' }

const conditionals = endings({ 'bym byś byśmy byście by': '' })

interface Action {
  /** Whether the ending is removed only in R1. */
  inR1?: boolean
  /** Letters that replace the ending. `outside` replaces it only if the stem ends before R1. */
  kept?: string
  outside?: string
  /** Whether an ending of a participle or comparative may precede this ending, and is removed too. */
  isAdjective?: boolean
}

const drop = (stem: string, { kept = '', outside = '', isAdjective }: Action, inR1: boolean) => {
  if (!isAdjective) return stem + kept + (inR1 ? '' : outside)
  const ending = participles(stem, shortest)
  return ending ? replace(stem, ending.suffix, ending.action) : stem
}

const participles = endings<string>({ 'ając ąc iejsz sz': '', sząc: 's' })

const suffixes = endings<Action>({
  [`asz esz isz amy emy imy acie ecie icie ają eść aść ać ieć ić ąć ając ąc ałem iałem iłem ałam iałam iłam am ałeś iałeś
    iłeś ałaś iałaś iłaś ał iał ił ała iała iła ało iało iło aliśmy ieliśmy iliśmy ałyśmy iałyśmy iłyśmy aliście ieliście
    iliście ałyście iałyście iłyście ali ieli ili ały iały iły aj ajcie cie ę`]: {},
  szę: { kept: 's' },
  szą: { outside: 's' },
  'łeś łaś liśmy łyśmy liście łyście': { kept: 'ł' },
  'y ego iego emu iemu ym im ej iej ych ich ymi imi': { isAdjective: true },
  'ająca ąca iejsza sza ającą ącą iejszą ające ące iejsze sze': {},
  'sząca szącą szące': { kept: 's' },
  'a o i u ia owi iowi ą ią em iem e iu ie ów om iom ami iami ach iach': { inR1: true },
})
