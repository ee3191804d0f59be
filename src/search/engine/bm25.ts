// Scores the documents of a full-text search with the ranking function BM25. typeahead-score.ts has the scores of typeahead.
import type { CollectionStatistics } from './query.ts'

/** Weight of the title field: a word of the title counts as much as three words of the text. */
export const titleWeight = 3

/** Weight of a term that matches only as a prefix, relative to an exact match: exact matches rank higher. */
const expansionWeight = 0.3

/**
 * Saturation of the term frequency: further occurrences of a word add less and less. Slightly above the usual 1.2, because field
 * weights raise frequencies.
 */
const k1 = 1.5

/** Strength of the length normalization: with 0 the length of a document is ignored, with 1 the frequency is divided by it. */
const b = 0.75

/**
 * Computes scores by Okapi BM25 over weighted fields (Robertson, Zaragoza, Taylor, "Simple BM25 Extension to Multiple Weighted
 * Fields", 2004). The inverse document frequency is never negative, as in Lucene.
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

  /** Returns the weight of a term: its inverse document frequency, by which rare words count more. */
  termWeight(term: string): number {
    return this.#idf(this.#statistics.documentFrequencies[term] ?? 0)
  }

  /** The weight of each term to which the prefix expands. It is the same for all of these terms, as if they were one term. */
  get expansionWeight(): number {
    return this.#expansionWeight
  }

  /** Returns the score that a term adds to a document: the saturated term frequency, normalized by the document's length. */
  score(weight: number, title: number, text: number, length: number): number {
    const frequency = titleWeight * title + text
    return (weight * frequency * (k1 + 1)) / (frequency + this.#base + this.#perWord * length)
  }

  /**
   * Inverse document frequency. The argument is clamped, since document frequencies may be slightly off: the rules of the analyzer
   * may have changed between the write and the deletion of a document.
   */
  #idf(documentFrequency: number): number {
    const { documentCount } = this.#statistics
    const frequency = Math.max(0, Math.min(documentFrequency, documentCount))
    return Math.log(1 + (documentCount - frequency + 0.5) / (frequency + 0.5))
  }
}
