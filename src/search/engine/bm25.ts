// Scores the documents of a full-text search with BM25. typeahead-score.ts has the scores of typeahead.
import type { CollectionStatistics } from './query.ts'

/** Weight of the title field: a word of the title counts as three words of the text. */
export const titleWeight = 3

/** Weight of a term that matches only as a prefix, relative to an exact match. */
const expansionWeight = 0.3

/** Term frequency saturation. Slightly above the usual 1.2, because field weights raise frequencies. */
const k1 = 1.5

/** Document length normalization: 0 ignores the length, 1 divides by it. */
const b = 0.75

/**
 * Okapi BM25 over weighted fields (Robertson, Zaragoza, Taylor, "Simple BM25 Extension to Multiple Weighted Fields", 2004),
 * with an inverse document frequency that is never negative, as in Lucene.
 */
export class Bm25 {
  readonly #statistics: CollectionStatistics
  readonly #base: number
  readonly #perWord: number
  readonly #expansionWeight: number

  constructor(statistics: CollectionStatistics) {
    this.#statistics = statistics
    const average = statistics.documentCount > 0 ? Math.max(1, statistics.totalLength / statistics.documentCount) : 1
    this.#base = k1 * (1 - b)
    this.#perWord = (k1 * b) / average
    const all = Object.values(statistics.expansions).reduce((sum, one) => sum + one, 0)
    this.#expansionWeight = expansionWeight * this.#idf(Math.min(all, statistics.documentCount))
  }

  /** Weight of a term: its inverse document frequency. */
  termWeight(term: string): number {
    return this.#idf(this.#statistics.documentFrequencies[term] ?? 0)
  }

  /** Weight of each term that the prefix expands to: the same for all, as if they were one term. */
  get expansionWeight(): number {
    return this.#expansionWeight
  }

  /** The score that a term adds to a document: saturated term frequency, normalized by the document's length. */
  score(weight: number, title: number, text: number, length: number): number {
    const frequency = titleWeight * title + text
    return (weight * frequency * (k1 + 1)) / (frequency + this.#base + this.#perWord * length)
  }

  /** Document frequencies may be slightly off if the rules of the analyzer changed between the write and the deletion of a document. */
  #idf(documentFrequency: number): number {
    const { documentCount } = this.#statistics
    const frequency = Math.max(0, Math.min(documentFrequency, documentCount))
    return Math.log(1 + (documentCount - frequency + 0.5) / (frequency + 0.5))
  }
}
