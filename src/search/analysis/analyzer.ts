// Turns a text into the terms that are indexed and searched: splits the text into words, then normalizes, stems and folds each
// word.
import { LruCache } from '#core/lru-cache'
import { fold, normalize } from './fold.ts'
import { canonicalName, languages, type StemmedLanguage } from './languages.ts'
import { stopwords } from './stopwords/stopwords.ts'
import { tokenize } from './tokenizer.ts'
import type { AnalysisSettings, Analyzer, Token, Word } from './types.ts'
import { WordCache } from './word-cache.ts'

/**
 * Returns the analyzer for the settings of an index. Indexes with equal settings share one analyzer and its word cache. Throws a
 * `RangeError` if a stemmer or list of stop words does not exist.
 */
export const analyzerOf = (settings: AnalysisSettings): Analyzer => {
  const key = JSON.stringify([settings.stemmer, settings.stopwords, settings.unspaced === 'pairs'])
  const known = analyzers.get(key)
  if (known) return known
  const analyzer = createAnalyzer(settings)
  analyzers.set(key, analyzer)
  return analyzer
}

/** LRU cache of analyzers. It is small, because the word cache of an analyzer can grow to some megabytes. */
const analyzers = new LruCache<Analyzer>(8)

const createAnalyzer = (settings: AnalysisSettings): Analyzer => {
  const language = { ...languageOf(canonicalName(settings.stemmer)), pairsUnspaced: settings.unspaced === 'pairs' }
  const stopwordSet = stopwordsOf(settings.stopwords, language)
  const wordCache = new WordCache((raw) => wordOf(raw, language, stopwordSet))

  const tokensOf = (text: string, inDocument: boolean) => {
    const tokens: Token[] = []
    tokenize(text, language, inDocument, (start, end) => {
      const word = wordCache.get(text, start, end)
      if (word) tokens.push({ ...word, start, end })
    })
    return tokens
  }

  return {
    forEachWord: (text, visit) =>
      tokenize(text, language, true, (start, end) => {
        const word = wordCache.get(text, start, end)
        if (word) visit(word)
      }),
    tokens: (text) => tokensOf(text, true),
    queryTokens: (text) => tokensOf(text, false),
  }
}

/** Without a stemmer, an apostrophe separates words, so that the prefix `nei` finds O’Neill and `inj` finds l’injection. */
const unstemmed: StemmedLanguage = { stem: (word) => word, splitsAtApostrophe: true }

const languageOf = (name: string): StemmedLanguage => {
  const language = name === 'none' ? unstemmed : languages.get(name)
  if (!language) throw new RangeError(`No stemmer is named "${name}"`)
  return language
}

/**
 * Returns the set of stop words, analyzed like the words of a query with which they are compared: `d'un` of the French list becomes
 * `un`.
 */
const stopwordsOf = (setting: AnalysisSettings['stopwords'], language: StemmedLanguage): ReadonlySet<string> => {
  const words = new Set<string>()
  for (const text of typeof setting === 'string' ? [stopwordList(canonicalName(setting))] : setting) {
    tokenize(text, language, false, (start, end) => words.add(normalizedForms(text.slice(start, end), language).word))
  }
  return words
}

const stopwordList = (name: string) => {
  const list = name === 'none' ? '' : stopwords.get(name)
  if (list === undefined) throw new RangeError(`No list of stop words is named "${name}"`)
  return list
}

/** Returns the forms of a word; undefined if folding leaves nothing of it. */
const wordOf = (raw: string, language: StemmedLanguage, stopwordSet: ReadonlySet<string>): Word | undefined => {
  const { plain, word } = normalizedForms(raw, language)
  if (word === '') return undefined
  return { term: truncate(fold(language.stem(plain))) || word, word, isStopword: stopwordSet.has(word) }
}

const normalizedForms = (raw: string, { isTurkish }: StemmedLanguage) => {
  const plain = truncate(normalize(raw, isTurkish))
  return { plain, word: truncate(fold(plain)) }
}

/** Truncates a word to 64 UTF-16 units, without splitting a surrogate pair. The keys of the dictionary have a maximum size. */
const truncate = (word: string) =>
  word.length > 64 ? word.slice(0, isHighSurrogate(word.charCodeAt(63)) ? 63 : 64) : word

const isHighSurrogate = (unit: number) => (unit & 0xfc00) === 0xd800
