// Parses the text of a search query into words, phrases and exclusions.
import type { Analyzer, Token, Word } from './analysis/types.ts'
import type { Variant } from './engine/indexed-document.ts'
import type { Query } from './engine/query.ts'

const maxWords = 100
/** Maximum number of phrases in a query, and of exclusions. */
const maxRuns = 20

const quotation = /"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»/.source

/**
 * Matches the operators of a query. `-` directly before a word or a quotation excludes it, and a quotation is a phrase. A quotation
 * ends at the next mark of its kind. A `-` inside a word or a quotation, before a space, or before another `-` is punctuation.
 */
const operators = new RegExp(String.raw`(?<!\S)-(?![\s-])(?:${quotation}|\S+)|${quotation}`, 'g')

/**
 * Parses a query. In full text, two or more words in quotation marks are a phrase; an unpaired mark is punctuation. The first 100
 * different words count, and up to 20 phrases and 20 exclusions, each with together at most 100 words. The rest is ignored.
 */
export function parseQuery(text: string, analyzer: Analyzer, variant: Variant): Query {
  const all = analyzer.queryTokens(text)
  const { excluded, quoted } = operatorsOf(text, all)
  const excludedTokens = new Set(excluded.flat())
  const tokens = all.filter((token) => !excludedTokens.has(token))
  const phrases = variant === 'fulltext' ? quoted.filter(({ length }) => length > 1).slice(0, maxRuns) : []
  const inPhrases = new Set(phrases.flat())
  const significant = tokens.filter((token) => !token.isStopword || inPhrases.has(token))
  const words = new Map((significant.length > 0 ? significant : tokens).map((token) => [token.term, wordOf(token)]))
  const counted = new Map([...words].slice(0, maxWords))
  const end = all.at(-1)
  const isComplete =
    end && (excludedTokens.has(end) || inPhrases.has(end) || (variant === 'typeahead' && isRepeated(end, tokens)))
  const last = end && !isComplete && counted.has(end.term) ? wordOf(end) : undefined
  const countedPhrases = phrases.filter((phrase) => phrase.every(({ term }) => counted.has(term)))
  return {
    words: [...counted.values()],
    last,
    phrases: withinLimit(countedPhrases),
    excluded: withinLimit(excluded.slice(0, maxRuns)),
  }
}

/**
 * Whether the last word of a typeahead query also occurs earlier in the query. It is then not used as a prefix, since each word of
 * the query must match.
 */
const isRepeated = (end: Token, tokens: readonly Token[]) => tokens.find(({ term }) => term === end.term) !== end

/** Returns the tokens of each exclusion and each quotation of a query, in order. */
function operatorsOf(text: string, tokens: Token[]): { excluded: Token[][]; quoted: Token[][] } {
  const excluded: Token[][] = []
  const quoted: Token[][] = []
  let next = 0
  for (const {
    0: { length },
    index,
  } of text.matchAll(operators)) {
    while (next < tokens.length && tokens[next]!.start < index) next++
    const first = next
    while (next < tokens.length && tokens[next]!.start < index + length) next++
    if (next > first) (text[index] === '-' ? excluded : quoted).push(tokens.slice(first, next))
  }
  return { excluded, quoted }
}

/** Keeps runs of words up to a total of 100 words. A run may repeat a word, and each occurrence costs time. */
function withinLimit(runs: Token[][]): Word[][] {
  let left = maxWords
  const kept = runs.filter(({ length }) => {
    if (length > left) return false
    left -= length
    return true
  })
  return kept.map((run) => run.map(wordOf))
}

const wordOf = ({ term, word, isStopword }: Token): Word => ({ term, word, isStopword })
