// The settings of an index, and the validation of the settings of a new index.
import { canonicalName, stemmerNames, stopwordListNames } from './analysis/languages.ts'
import type { AnalysisSettings } from './analysis/types.ts'
import { maxStopwordLength, maxStopwords, type NewIndex } from './contract.ts'
import type { Variant } from './engine/indexed-document.ts'
import { failure } from './errors.ts'

/** Settings of an index. They are fixed when the index is created, and each of its shards stores them. */
export interface IndexSettings extends AnalysisSettings {
  variant: Variant
  /** Number of shards. */
  shards: number
}

/** Resolves the settings of a new index. Throws `validation_failed` if the stemmer or the list of stop words does not exist. */
export function resolveSettings(
  variant: Variant,
  { shards, stemmer = 'none', stopwords = 'none' }: Omit<NewIndex, 'name'>,
): IndexSettings {
  return {
    ...{ variant, shards, unspaced: variant === 'typeahead' ? 'pairs' : 'words' },
    stemmer: resolveStemmer(stemmer),
    stopwords: typeof stopwords === 'string' ? resolveStopwords(stopwords) : stopwords,
  }
}

function resolveStemmer(value: string): string {
  const name = canonicalName(value)
  if (stemmerNames.includes(name)) return name
  throw invalid('stemmer', `No stemmer is named "${value}". Use one of ${stemmerNames.join(', ')}.`)
}

/** Resolves the parameter `stopwords`: the name of a list, or the words themselves, separated by commas. */
function resolveStopwords(value: string): string | string[] {
  const name = canonicalName(value)
  if (stopwordListNames.includes(name)) return name
  if (value.includes(',')) return parseWords(value)
  const reason = stemmerNames.includes(name)
    ? `"${name}" has a stemmer but no list of stop words`
    : `No list is named "${value}"`
  throw invalid('stopwords', `${reason}. Use an array of words, or one of ${stopwordListNames.join(', ')}.`)
}

function parseWords(value: string): string[] {
  const words = value.split(',').flatMap((word) => word.trim() || [])
  if (words.length > maxStopwords)
    throw invalid('stopwords', `A list has at most ${maxStopwords} words, got ${words.length}.`)
  if (words.some(({ length }) => length > maxStopwordLength))
    throw invalid('stopwords', `A stop word has at most ${maxStopwordLength} characters.`)
  return words
}

const invalid = (field: string, message: string) =>
  failure('validation_failed', `Not valid: ${field}. ${message}`, { errors: { [field]: message } })
