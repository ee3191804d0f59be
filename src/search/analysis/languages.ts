// The languages that have a stemmer, with their rules for apostrophes and for Turkish letters. `POST /index` accepts their names.
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as irish } from '@orama/stemmers/irish'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as nepali } from '@orama/stemmers/nepali'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { basque } from './stemmers/basque.ts'
import { catalan } from './stemmers/catalan.ts'
import { czech } from './stemmers/czech.ts'
import { dutch } from './stemmers/dutch.ts'
import { dutchPorter } from './stemmers/dutch-porter.ts'
import { english } from './stemmers/english.ts'
import { esperanto } from './stemmers/esperanto.ts'
import { estonian } from './stemmers/estonian.ts'
import { french } from './stemmers/french.ts'
import { german } from './stemmers/german.ts'
import { hindi } from './stemmers/hindi.ts'
import { lovins } from './stemmers/lovins.ts'
import { norwegian } from './stemmers/norwegian.ts'
import { persian } from './stemmers/persian.ts'
import { polish } from './stemmers/polish.ts'
import { porter } from './stemmers/porter.ts'
import { romanian } from './stemmers/romanian.ts'
import { swedish } from './stemmers/swedish.ts'
import { turkish } from './stemmers/turkish.ts'
import { yiddish } from './stemmers/yiddish.ts'
import { stopwords } from './stopwords/stopwords.ts'
import type { TokenRules } from './tokenizer.ts'

/** A language that has a stemmer. */
export interface StemmedLanguage extends TokenRules {
  /** Stems a word in lower case (NFC). */
  stem: (word: string) => string
  /** Whether `I` is the capital of `ı`, as in Turkish, and not of `i`. */
  isTurkish?: boolean
}

const catalanElisions = new Set(['d', 'l', 'm', 'n', 's', 't'])
const frenchElisions = new Set('c d j jusqu l lorsqu m n puisqu qu quoiqu s t z'.split(' '))
const italianElisions = new Set(
  'agl all c coll d dagl dall degl dell gl l m negl nell pell quell s sugl sull t un v'.split(' '),
)

const all: Record<string, StemmedLanguage> = {
  armenian: { stem: armenian },
  basque: { stem: basque },
  catalan: { stem: catalan, elisions: catalanElisions },
  czech: { stem: czech },
  danish: { stem: danish },
  dutch: { stem: dutch },
  dutch_porter: { stem: dutchPorter },
  english: { stem: english, possessive: true },
  esperanto: { stem: esperanto },
  estonian: { stem: estonian },
  finnish: { stem: finnish },
  french: { stem: french, elisions: frenchElisions },
  german: { stem: german },
  greek: { stem: greek },
  hindi: { stem: hindi },
  hungarian: { stem: hungarian },
  indonesian: { stem: indonesian },
  irish: { stem: irish },
  italian: { stem: italian, elisions: italianElisions },
  lithuanian: { stem: lithuanian },
  lovins: { stem: lovins, possessive: true },
  nepali: { stem: nepali },
  norwegian: { stem: norwegian },
  persian: { stem: persian },
  polish: { stem: polish },
  porter: { stem: porter, possessive: true },
  portuguese: { stem: portuguese },
  romanian: { stem: romanian },
  russian: { stem: russian },
  serbian: { stem: serbian },
  spanish: { stem: spanish },
  swedish: { stem: swedish },
  turkish: { stem: turkish, isTurkish: true },
  yiddish: { stem: yiddish },
}

/**
 * Stemmers by name. Only the stemmers of Snowball are offered that stem at least 99 % of the words of their test vocabularies
 * correctly.
 */
export const languages: ReadonlyMap<string, StemmedLanguage> = new Map(Object.entries(all))

/** Returns the name under which a stemmer or list is registered: `russian` for `_russian_`, the form of Elasticsearch. */
export const canonicalName = (name: string) => /^_(.*)_$/.exec(name)?.[1] ?? name

/** Names of the stemmers, sorted, with `none`. */
export const stemmerNames: readonly string[] = [...languages.keys(), 'none'].sort()

/** Names of the lists of stop words, sorted, with `none`. */
export const stopwordListNames: readonly string[] = [...stopwords.keys(), 'none'].sort()
