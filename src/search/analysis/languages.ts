import type { Apostrophes } from './segment.ts'
import { english } from './stemmers/english.ts'

/** A language that words are stemmed in. */
export interface Language extends Apostrophes {
  /** The stem of a word in lower case (NFC). */
  stem: (word: string) => string
  /** Whether `I` is the capital of `ı`. */
  isTurkish?: boolean
}

/** By name: the stemmers of Snowball that get 99 % or more of the words of its vocabularies right. */
export const languages: ReadonlyMap<string, Language> = new Map(
  Object.entries({ english: { stem: english, possessive: true } }),
)
