import type { Analysis, Word, WordPlace } from './analysis/analysis.ts'
import type { Variant } from './engine/documents.ts'
import type { Query } from './engine/query.ts'

const maxWords = 100
const maxRuns = 20

const quotation = /"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»/.source

/**
 * The operators of a query, in one pass over the text: `-` right before a word or a quotation excludes it, and a quotation
 * is a phrase. Each kind of quotation mark ends at the next one of its kind. A `-` within a word or a quotation, before a
 * space, or before another `-` is punctuation.
 */
const operators = new RegExp(String.raw`(?<!\S)-(?![\s-])(?:${quotation}|\S+)|${quotation}`, 'g')

/**
 * Parses a query. In full text two or more words in quotation marks are a phrase; an unpaired mark is punctuation. At most
 * 100 words count, at most 20 phrases (those whose words all count, 100 words together), and at most 20 exclusions (100
 * words together).
 */
export function parseQuery(text: string, analysis: Analysis, variant: Variant): Query {
  const all = analysis.query(text)
  const { excluded, quoted } = operatorsOf(text, all)
  const left = new Set(excluded.flat())
  const places = all.filter((place) => !left.has(place))
  const phrases = variant === 'fulltext' ? quoted.filter(({ length }) => length > 1).slice(0, maxRuns) : []
  const inPhrases = new Set(phrases.flat())
  const telling = places.filter((place) => !place.isStopword || inPhrases.has(place))
  const words = new Map((telling.length > 0 ? telling : places).map((place) => [place.term, wordOf(place)]))
  const kept = new Map([...words].slice(0, maxWords))
  const end = all.at(-1)
  const isWhole = end && (left.has(end) || inPhrases.has(end) || (variant === 'typeahead' && isRepeated(end, places)))
  const last = end && !isWhole && kept.has(end.term) ? wordOf(end) : undefined
  const whole = phrases.filter((phrase) => phrase.every(({ term }) => kept.has(term)))
  return {
    words: [...kept.values()],
    last,
    phrases: withinLimit(whole),
    excluded: withinLimit(excluded.slice(0, maxRuns)),
  }
}

/** A word that also stands earlier in the query cannot be the beginning of another word: each word must be found. */
const isRepeated = (end: WordPlace, places: readonly WordPlace[]) =>
  places.find(({ term }) => term === end.term) !== end

/** The words of each operator of a query, in order. */
function operatorsOf(text: string, places: WordPlace[]): { excluded: WordPlace[][]; quoted: WordPlace[][] } {
  const excluded: WordPlace[][] = []
  const quoted: WordPlace[][] = []
  let next = 0
  for (const {
    0: { length },
    index,
  } of text.matchAll(operators)) {
    while (next < places.length && places[next]!.start < index) next++
    const first = next
    while (next < places.length && places[next]!.start < index + length) next++
    if (next > first) (text[index] === '-' ? excluded : quoted).push(places.slice(first, next))
  }
  return { excluded, quoted }
}

/** Runs of words up to 100 words together: a run may repeat a word, and each occurrence costs time. */
function withinLimit(runs: WordPlace[][]): Word[][] {
  let left = maxWords
  const kept = runs.filter(({ length }) => {
    if (length > left) return false
    left -= length
    return true
  })
  return kept.map((run) => run.map(wordOf))
}

const wordOf = ({ term, word, isStopword }: WordPlace): Word => ({ term, word, isStopword })
