import { analysisOf } from './analysis/analyser.ts'
import type { AnalysisSettings, Word } from './analysis/analysis.ts'
import type { Variant } from './engine/documents.ts'
import type { Query } from './engine/query.ts'
import { allowedErrors, typosOf } from './engine/typing-errors.ts'
import { highlight, type Wanted } from './highlight.ts'

/** Marks in a text what a query has found there: gives HTML. */
export function markerOf(variant: Variant, { query, settings }: { query: Query; settings: AnalysisSettings }) {
  const analysis = analysisOf({ ...settings, stopwords: 'none' })
  const { words, last } = query
  const wanted: Wanted = {
    terms: new Set(words.map(({ term }) => term)),
    ...(last && { prefix: last.word }),
    ...(variant === 'typeahead' && { matches: matching(query) }),
  }
  return (text: string) => highlight(text, analysis, wanted)
}

/** Whether a word is one of the query's with typing errors; a word is told apart once. */
function matching({ words, last }: Query) {
  const likes = words.flatMap(({ word, term }) => (allowedErrors(word) > 0 ? likeness(word, term === last?.term) : []))
  const known = new Map<string, boolean>()
  return ({ word }: Word): boolean => {
    const before = known.get(word)
    if (before !== undefined) return before
    const is = likes.some((isLike) => isLike(word))
    known.set(word, is)
    return is
  }
}

function likeness(asked: string, isLast: boolean): (word: string) => boolean {
  const isTypo = typosOf(asked, isLast)
  return isLast ? (word) => !word.startsWith(asked) && isTypo(word) : isTypo
}
