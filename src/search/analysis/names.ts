import { languages } from './languages.ts'
import { stopwords } from './stopwords/stopwords.ts'

/** A name as it is listed: `russian` for `_russian_` too. */
export const canonical = (name: string) => /^_(.*)_$/.exec(name)?.[1] ?? name

/** The names of stemmers, sorted, with `none`. */
export const stemmers: readonly string[] = [...languages.keys(), 'none'].sort()

/** The names of lists of stop words, sorted, with `none`. */
export const stopwordLists: readonly string[] = [...stopwords.keys(), 'none'].sort()
