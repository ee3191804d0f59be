import { endings, liesIn, replace } from './endings.ts'
import { regionAfter } from './regions.ts'

/** Stems an English word, by the algorithm of Snowball: https://snowballstem.org/algorithms/english/stemmer.html */
export const english = (word: string): string => {
  const exception = exceptions.get(word)
  if (exception !== undefined || word.length < 3) return exception ?? word
  // Writes `y` as a capital where it is a consonant, so that rules about vowels do not match it. The capital is undone after
  // stemming.
  const marked = word
    .replace(/^'/, '')
    .replace(/^y/, 'Y')
    .replace(/([aeiouy])y/g, '$1Y')
  const r1 = exceptionalBeginning.exec(marked)?.[0].length ?? regionAfter(marked, vowels)
  const r2 = regionAfter(marked, vowels, r1)
  const whole = dropVerbEnding(dropPlural(dropPossessive(marked)), r1).replace(/(?<=.[^aeiouy])[yY]$/, 'i')
  return dropLast(dropSuffix(shorten(unify(whole, r1), r1, r2), r2), r1, r2).replaceAll('Y', 'y')
}

const vowels = 'aeiouy'

const exceptions = new Map(
  Object.entries({
    ...{ skis: 'ski', skies: 'sky', idly: 'idl', gently: 'gentl', ugly: 'ugli', early: 'earli', only: 'onli' },
    ...{ singly: 'singl', sky: 'sky', news: 'news', howe: 'howe', atlas: 'atlas', cosmos: 'cosmos', bias: 'bias' },
    andes: 'andes',
  }),
)

const exceptionalBeginning = /^(gener|commun|arsen|past|univers|later|emerg|organ|inter)/

const isShort = (word: string) => /[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$|past$/.test(word)

const dropPossessive = (word: string) => word.replace(/('s'|'s|')$/, '')

const dropPlural = (word: string) => {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1)
  return /[aeiouy].+(?<![us])s$/.test(word) ? word.slice(0, -1) : word
}

const dropVerbEnding = (word: string, r1: number) => {
  const ending = /(eedly|eed|ingly|edly|ing|ed)$/.exec(word)?.[0]
  if (!ending) return word
  const stem = replace(word, ending)
  if (ending.startsWith('ee')) return stem.length >= r1 && !/^(proc|exc|succ)$/.test(stem) ? `${stem}ee` : word
  if (ending === 'ing') {
    if (/^[^aeiouy]y$/.test(stem)) return `${stem.charAt(0)}ie`
    if (/^(inn|out|cann|herr|earr|even)$/.test(stem)) return word
  }
  return /[aeiouy]/.test(stem) ? mend(stem, r1) : word
}

const mend = (stem: string, r1: number) => {
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/([bdfgmnprt])\1$/.test(stem)) return /^[aeo]..$/.test(stem) ? stem : stem.slice(0, -1)
  return stem.length === r1 && isShort(stem) ? `${stem}e` : stem
}

const unified = endings<string>({
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  abli: 'able',
  entli: 'ent',
  'izer ization': 'ize',
  'ational ation ator': 'ate',
  'alism aliti alli': 'al',
  fulness: 'ful',
  'ousli ousness': 'ous',
  'iveness iviti': 'ive',
  'biliti bli': 'ble',
  'ogist ogi': 'og',
  fulli: 'ful',
  lessli: 'less',
  li: '',
})

const unify = (word: string, r1: number) => {
  const ending = unified(word)
  if (!ending || !liesIn(word, ending.suffix, r1)) return word
  if (ending.suffix === 'ogi' && !word.endsWith('logi')) return word
  if (ending.suffix === 'li' && !/[cdeghkmnrt]li$/.test(word)) return word
  return replace(word, ending.suffix, ending.action)
}

const shortened = endings<string>({
  tional: 'tion',
  ational: 'ate',
  alize: 'al',
  'icate iciti ical': 'ic',
  'ful ness ative': '',
})

const shorten = (word: string, r1: number, r2: number) => {
  const ending = shortened(word)
  if (!ending || !liesIn(word, ending.suffix, ending.suffix === 'ative' ? Math.max(r1, r2) : r1)) return word
  return replace(word, ending.suffix, ending.action)
}

const dropped = endings<RegExp>({
  'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize': /$/,
  ion: /[st]ion$/,
})

const dropSuffix = (word: string, r2: number) => {
  const ending = dropped(word)
  return ending && liesIn(word, ending.suffix, r2) && ending.action.test(word) ? replace(word, ending.suffix) : word
}

const dropLast = (word: string, r1: number, r2: number) => {
  const stem = word.slice(0, -1)
  if (word.endsWith('e')) return stem.length >= r2 || (stem.length >= r1 && !isShort(stem)) ? stem : word
  return word.endsWith('ll') && stem.length >= r2 ? stem : word
}
