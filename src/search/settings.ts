import { Failure } from '#core/failure'
import type { Settings } from './analysis/analysis.ts'
import { canonical, stemmers, stopwordLists } from './analysis/names.ts'
import type { NewIndex } from './contract.ts'
import type { Variant } from './engine/inverted-index.ts'

/** What an index is made with. */
export interface IndexSettings extends Settings {
  variant: Variant
  /** Over how many objects its documents are spread. */
  shards: number
}

/** Settings as a caller has chosen them; 400 for a language that is not on offer. */
export function chosenSettings(
  variant: Variant,
  { shards, stemmer = 'none', stopwords = 'none' }: Omit<NewIndex, 'name'>,
): IndexSettings {
  return {
    variant,
    shards,
    stemmer: oneOf(stemmers, 'stemmer', stemmer),
    stopwords: typeof stopwords === 'string' ? oneOf(stopwordLists, 'stopwords', stopwords, orWords) : stopwords,
  }
}

const orWords = ', or an array of words'

function oneOf(names: readonly string[], field: string, given: string, orElse = ''): string {
  const name = canonical(given)
  if (names.includes(name)) return name
  const message = `Must be one of ${names.join(', ')}${orElse}`
  throw new Failure('invalid', `Not valid: ${field}. ${message}`, { errors: { [field]: message } })
}
