// Chooses the words of a text to highlight, by the query that found it. highlight.ts marks them.
import { analyzerOf } from './analysis/analyzer.ts'
import type { AnalysisSettings, Word } from './analysis/types.ts'
import type { Variant } from './engine/indexed-document.ts'
import type { Query } from './engine/query.ts'
import { maxTypos, typoMatcher } from './engine/typos.ts'
import { type HighlightTarget, highlight } from './highlight.ts'

/** Returns a function that marks the matches of a query in a text, as HTML. */
export function highlighterOf(variant: Variant, { query, settings }: { query: Query; settings: AnalysisSettings }) {
  const analyzer = analyzerOf({ ...settings, stopwords: 'none' })
  const { words, last } = query
  const target: HighlightTarget = {
    terms: new Set(words.map(({ term }) => term)),
    ...(last && { prefix: last.word }),
    ...(variant === 'typeahead' && { matches: typoTest(query) }),
  }
  return (text: string) => highlight(text, analyzer, target)
}

/**
 * Returns a function that checks whether a word of a text matches a word of the query with typos. Caches the result for each word.
 */
function typoTest({ words, last }: Query) {
  const tests = words.flatMap(({ word, term }) => (maxTypos(word) > 0 ? matcherOf(word, term === last?.term) : []))
  const known = new Map<string, boolean>()
  return ({ word }: Word): boolean => {
    const cached = known.get(word)
    if (cached !== undefined) return cached
    const isMatch = tests.some((matches) => matches(word))
    known.set(word, isMatch)
    return isMatch
  }
}

function matcherOf(queryWord: string, isLast: boolean): (word: string) => boolean {
  const isTypo = typoMatcher(queryWord, isLast)
  return isLast ? (word) => !word.startsWith(queryWord) && isTypo(word) : isTypo
}
