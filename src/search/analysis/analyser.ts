import { LruCache } from '#core/lru-cache'
import type { Analysis, AnalysisSettings, Word, WordPlace } from './analysis.ts'
import { fold, normalise } from './fold.ts'
import { languages, type StemmedLanguage } from './languages.ts'
import { canonical } from './names.ts'
import { segment } from './segment.ts'
import { stopwords } from './stopwords/stopwords.ts'
import { Vocabulary } from './vocabulary.ts'

/**
 * Takes words apart as an index's settings say; throws a `RangeError` at a name that is not on offer. The same for the same
 * settings, so that many indexes share the words that were met.
 */
export const analysisOf = (settings: AnalysisSettings): Analysis => {
  const key = JSON.stringify([settings.stemmer, settings.stopwords, settings.unspaced === 'pairs'])
  const known = recent.get(key)
  if (known) return known
  const analysis = analysisFor(settings)
  recent.set(key, analysis)
  return analysis
}

/** Those asked for last: each may come to hold some megabytes. */
const recent = new LruCache<Analysis>(8)

const analysisFor = (settings: AnalysisSettings): Analysis => {
  const language = { ...languageOf(canonical(settings.stemmer)), pairsUnspaced: settings.unspaced === 'pairs' }
  const ignored = stopwordsOf(settings.stopwords, language)
  const vocabulary = new Vocabulary((raw) => wordOf(raw, language, ignored))

  const places = (text: string, inDocument: boolean) => {
    const found: WordPlace[] = []
    segment(text, language, inDocument, (start, end) => {
      const word = vocabulary.at(text, start, end)
      if (word) found.push({ ...word, start, end })
    })
    return found
  }

  return {
    each: (text, visit) =>
      segment(text, language, true, (start, end) => {
        const word = vocabulary.at(text, start, end)
        if (word) visit(word)
      }),
    places: (text) => places(text, true),
    query: (text) => places(text, false),
  }
}

/** So that `nei` is the beginning of a word of O’Neill, and `inj` of one of l’injection. */
const unstemmed: StemmedLanguage = { stem: (word) => word, separates: true }

const languageOf = (name: string): StemmedLanguage => {
  const language = name === 'none' ? unstemmed : languages.get(name)
  if (!language) throw new RangeError(`There is no stemmer ${name}`)
  return language
}

/** Taken apart as texts are: what the French list has as `d'un` is `un`. */
const stopwordsOf = (named: AnalysisSettings['stopwords'], language: StemmedLanguage): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const text of typeof named === 'string' ? [listed(canonical(named))] : named) {
    segment(text, language, false, (start, end) => found.add(plainOf(text.slice(start, end), language).word))
  }
  return found
}

const listed = (name: string) => {
  const list = name === 'none' ? '' : stopwords.get(name)
  if (list === undefined) throw new RangeError(`There are no stop words ${name}`)
  return list
}

/** No word at all where folding leaves nothing of it. */
const wordOf = (raw: string, language: StemmedLanguage, ignored: ReadonlySet<string>): Word | undefined => {
  const { plain, word } = plainOf(raw, language)
  if (word === '') return undefined
  return { term: cut(fold(language.stem(plain))) || word, word, isStopword: ignored.has(word) }
}

const plainOf = (raw: string, { isTurkish }: StemmedLanguage) => {
  const plain = cut(normalise(raw, isTurkish))
  return { plain, word: cut(fold(plain)) }
}

/** At most 64 UTF-16 units, without half of a character. */
const cut = (word: string) => (word.length > 64 ? word.slice(0, isHighSurrogate(word.charCodeAt(63)) ? 63 : 64) : word)

const isHighSurrogate = (unit: number) => (unit & 0xfc00) === 0xd800
