import type { AnalysisSettings } from './analysis/analysis.ts'
import { canonical, stemmers, stopwordLists } from './analysis/names.ts'
import type { NewIndex } from './contract.ts'
import type { Variant } from './engine/documents.ts'
import { failure } from './errors.ts'
import { maxStopwordLength, maxStopwords } from './limits.ts'

/** What an index is made with. */
export interface IndexSettings extends AnalysisSettings {
  variant: Variant
  /** Over how many objects its documents are spread. */
  shards: number
}

/** The settings of a new index; 400 for a stemmer or a list of stop words that does not exist. */
export function chosenSettings(
  variant: Variant,
  { shards, stemmer = 'none', stopwords = 'none' }: Omit<NewIndex, 'name'>,
): IndexSettings {
  return {
    ...{ variant, shards, unspaced: variant === 'typeahead' ? 'pairs' : 'words' },
    stemmer: chosenStemmer(stemmer),
    stopwords: typeof stopwords === 'string' ? chosenStopwords(stopwords) : stopwords,
  }
}

function chosenStemmer(given: string): string {
  const name = canonical(given)
  if (stemmers.includes(name)) return name
  throw invalid('stemmer', `No stemmer is named "${given}". Use one of ${stemmers.join(', ')}.`)
}

/** The name of a list, or the words themselves, separated by commas as in a query string. */
function chosenStopwords(given: string): string | string[] {
  const name = canonical(given)
  if (stopwordLists.includes(name)) return name
  if (given.includes(',')) return wordsOf(given)
  const reason = stemmers.includes(name)
    ? `"${name}" has a stemmer but no list of stop words`
    : `No list is named "${given}"`
  throw invalid('stopwords', `${reason}. Use an array of words, or one of ${stopwordLists.join(', ')}.`)
}

function wordsOf(given: string): string[] {
  const words = given.split(',').flatMap((word) => word.trim() || [])
  if (words.length > maxStopwords)
    throw invalid('stopwords', `A list has at most ${maxStopwords} words, got ${words.length}.`)
  if (words.some(({ length }) => length > maxStopwordLength))
    throw invalid('stopwords', `A stop word has at most ${maxStopwordLength} characters.`)
  return words
}

const invalid = (field: string, message: string) =>
  failure('validation_failed', `Not valid: ${field}. ${message}`, { errors: { [field]: message } })
