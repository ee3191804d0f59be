import { endings, replace } from './endings.ts'
import { apply, type SuffixRule, within } from './rules.ts'
import { mark, spell } from './yiddish-regions.ts'
import { bareParticiples, participles } from './yiddish-verbs.ts'

/**
 * Stems a Yiddish word in the spelling of YIVO, by the algorithm of Snowball:
 * https://snowballstem.org/algorithms/yiddish/stemmer.html
 */
export const yiddish = (word: string): string => {
  const { marked, r1 } = mark(spell(word))
  const stem = [inflections, nouns, adjectives].reduce((rest, table) => apply(table, rest, { r1 }) ?? rest, marked)
  return stem.replace(/GE|TSU/g, '')
}

type Regions = Record<'r1', number>

const bare = endings(bareParticiples)

const dropPlural: SuffixRule<Regions> = (stem, { r1 }) => {
  if (stem.length < r1) return undefined
  const participle = bare(stem)
  return participle ? replace(stem, participle.suffix, participle.action) : stem
}

const dropT: SuffixRule<Regions> = (stem, { r1 }) =>
  stem.replace(/(גע)?בראכ$/, 'ברענג') + (stem.length >= r1 ? '' : 'ט')

const dropIst: SuffixRule<Regions> = (stem, { r1 }) => {
  if (!/[גש]$/.test(stem)) return stem.length >= r1 ? stem : undefined
  return stem.length + 2 >= r1 ? `${stem}יס` : undefined
}

const irregular = Object.fromEntries(
  Object.entries(participles).map(([ending, verb]): [string, SuffixRule<Regions>] => [ending, (stem) => stem + verb]),
)

const inflections = endings<SuffixRule<Regions>>({
  'ערס ענ נס ענערס עס ע נ ס עמ ער ט עט עטנ עטס עטע עטער': within('r1'),
  יע: () => undefined,
  יעס: within('r1', 'יע'),
  'ענע ענעמ ענער ענס': dropPlural,
  'טנ טע טער טס טנס טענע טענעמ טענער': dropT,
  ...irregular,
  'ונג הײט קײט יקײט שאפט יזמ יזמענ ימ עלעכ עלע לעכ עלעס עלענ יסטנ סטו סטער סטע סטנ סט': within('r1'),
  ות: within('r1', 'ה'),
  יסט: dropIst,
})

const nouns = endings<SuffixRule<Regions>>({
  'ונג הײט קײט יקײט שאפט': within('r1'),
  ל: (stem, { r1 }) => (stem.length >= r1 && /[בגדהזחטךכלםמןנסףפץצקרשתװ]$/.test(stem) ? stem : undefined),
})

const adjectives = endings<SuffixRule<Regions>>({
  'יג יק יש ניק דיק נדיק ענדיק': within('r1'),
  'בליק גליק': () => undefined,
})
