import { endings, replace } from './endings.ts'
import { regionAfter } from './regions.ts'

/** The Polish stemmer of Snowball: https://snowballstem.org/algorithms/polish/stemmer.html */
export const polish = (word: string): string => {
  const r1 = regionAfter(word, 'aąeęioóuy')
  const bare = replace(word, conditionals(word, Math.max(r1, shortest))?.suffix ?? '')
  const ending = suffixes(bare, shortest, ({ suffix, action }) => !action.inR1 || bare.length - suffix.length >= r1)
  if (!ending) return bare.length > 1 ? bare.replace(/[ćńśź]$/, (letter) => plain[letter] ?? letter) : bare
  const stem = replace(bare, ending.suffix)
  return drop(stem, ending.action, stem.length >= r1).replace(/(?<=..)'$/, '')
}

/** What every stem has at least. */
const shortest = 2

const plain: Record<string, string> = { ć: 'c', ń: 'n', ś: 's', ź: 'z' }

const conditionals = endings({ 'bym byś byśmy byście by': '' })

interface Action {
  /** Looked for in R1 alone. */
  inR1?: boolean
  /** What stands in its place; `outside` of R1 alone. */
  kept?: string
  outside?: string
  /** Whether endings of participles and comparatives may be beneath. */
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
