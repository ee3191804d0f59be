import { arabic } from './arabic.ts'
import { armenian } from './armenian.ts'
import { basque } from './basque.ts'
import { bengali } from './bengali.ts'
import { brazilian } from './brazilian.ts'
import { bulgarian } from './bulgarian.ts'
import { catalan } from './catalan.ts'
import { czech } from './czech.ts'
import { danish } from './danish.ts'
import { dutch } from './dutch.ts'
import { english } from './english.ts'
import { estonian } from './estonian.ts'
import { finnish } from './finnish.ts'
import { french } from './french.ts'
import { galician } from './galician.ts'
import { german } from './german.ts'
import { greek } from './greek.ts'
import { hindi } from './hindi.ts'
import { hungarian } from './hungarian.ts'
import { indonesian } from './indonesian.ts'
import { irish } from './irish.ts'
import { italian } from './italian.ts'
import { latvian } from './latvian.ts'
import { lithuanian } from './lithuanian.ts'
import { norwegian } from './norwegian.ts'
import { persian } from './persian.ts'
import { polish } from './polish.ts'
import { portuguese } from './portuguese.ts'
import { romanian } from './romanian.ts'
import { russian } from './russian.ts'
import { sorani } from './sorani.ts'
import { spanish } from './spanish.ts'
import { swedish } from './swedish.ts'
import { thai } from './thai.ts'
import { turkish } from './turkish.ts'
import { ukrainian } from './ukrainian.ts'

/** The lists of stop words of Lucene, each as one text, by the names that `stopwords` in `POST /index` accepts. */
export const stopwords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    arabic,
    armenian,
    basque,
    bengali,
    brazilian,
    bulgarian,
    catalan,
    czech,
    danish,
    dutch,
    dutch_porter: dutch,
    english,
    estonian,
    finnish,
    french,
    galician,
    german,
    greek,
    hindi,
    hungarian,
    indonesian,
    irish,
    italian,
    latvian,
    lithuanian,
    lovins: english,
    norwegian,
    persian,
    polish,
    porter: english,
    portuguese,
    romanian,
    russian,
    sorani,
    spanish,
    swedish,
    thai,
    turkish,
    ukrainian,
  }),
)
