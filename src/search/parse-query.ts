import type { Analysis, Place, Word } from './analysis/analysis.ts'
import type { Variant } from './engine/inverted-index.ts'
import type { Query } from './engine/query.ts'

const mostWords = 100
const mostPhrases = 20

/** A pair of quotes and what is between; each kind stops at its like, so that no text takes more than one pass. */
const quoted = /"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»/g

/**
 * What a text looks for. In full text words in quotes are a phrase, where there are two at least; a quote without its
 * partner is punctuation. Of words the first hundred count, of phrases the first twenty
 * whose words all do, while these are a hundred words together at most.
 */
export function parseQuery(text: string, analysis: Analysis, variant: Variant): Query {
  const places = analysis.query(text)
  const phrases = variant === 'fulltext' ? phrasesOf(text, places) : []
  const inPhrases = new Set(phrases.flat())
  const telling = places.filter((place) => !place.isStopword || inPhrases.has(place))
  const words = new Map((telling.length > 0 ? telling : places).map((place) => [place.term, wordOf(place)]))
  const kept = new Map([...words].slice(0, mostWords))
  const end = places.at(-1)
  const isWhole = end && (inPhrases.has(end) || (variant === 'typeahead' && isRepeated(end, places)))
  const last = end && !isWhole && kept.has(end.term) ? wordOf(end) : undefined
  const whole = withinLimit(phrases.filter((phrase) => phrase.every(({ term }) => kept.has(term))))
  return { words: [...kept.values()], last, phrases: whole.map((phrase) => phrase.map(wordOf)) }
}

/** Where each word must be there, one that stands before as well is no beginning any more. */
const isRepeated = (end: Place, places: readonly Place[]) => places.find(({ term }) => term === end.term) !== end

function phrasesOf(text: string, places: Place[]): Place[][] {
  const phrases: Place[][] = []
  let next = 0
  for (const {
    0: { length },
    index,
  } of text.matchAll(quoted)) {
    while (next < places.length && places[next]!.start < index) next++
    const first = next
    while (next < places.length && places[next]!.start < index + length) next++
    if (next - first > 1) phrases.push(places.slice(first, next))
  }
  return phrases.slice(0, mostPhrases)
}

/** A phrase may have the same words again and again, and each costs its time. */
function withinLimit(phrases: Place[][]): Place[][] {
  let left = mostWords
  return phrases.filter(({ length }) => {
    left -= length
    return left >= 0
  })
}

const wordOf = ({ term, word, isStopword }: Place): Word => ({ term, word, isStopword })
