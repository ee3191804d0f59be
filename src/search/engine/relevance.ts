import type { Measures } from './query.ts'

/** A word of the title counts as so many of the text. */
export const titleWeight = 3

/** What the beginning of a word is worth beside the word. */
const expansionWeight = 0.3

/** How soon more of the same word stops to matter; with weighted fields a little later than the usual 1.2. */
const saturation = 1.5

/** How much a word counts less in a longer document. */
const normalisation = 0.75

/**
 * Okapi BM25 over weighted fields (Robertson, Zaragoza, Taylor, "Simple BM25 Extension to Multiple Weighted Fields", 2004),
 * with an inverse document frequency that is never negative, as Lucene has it.
 */
export class Relevance {
  readonly #measures: Measures
  readonly #base: number
  readonly #perWord: number
  readonly #expansions: number

  constructor(measures: Measures) {
    this.#measures = measures
    const average = measures.documents > 0 ? Math.max(1, measures.length / measures.documents) : 1
    this.#base = saturation * (1 - normalisation)
    this.#perWord = (saturation * normalisation) / average
    const all = Object.values(measures.expansions).reduce((sum, one) => sum + one, 0)
    this.#expansions = expansionWeight * this.#rarity(Math.min(all, measures.documents))
  }

  /** What a term is worth at the most. */
  weigh(term: string): number {
    return this.#rarity(this.#measures.frequencies[term] ?? 0)
  }

  /** What a term that only begins as asked for is worth at the most: the same for all, as if they were one. */
  get expansionWeight(): number {
    return this.#expansions
  }

  /** What a term adds to a document's score. */
  score(weight: number, title: number, text: number, length: number): number {
    const frequency = titleWeight * title + text
    return (weight * frequency * (saturation + 1)) / (frequency + this.#base + this.#perWord * length)
  }

  /** Counts may be a little off where a document was taken apart by other rules when it went than when it came. */
  #rarity(counted: number): number {
    const { documents } = this.#measures
    const frequency = Math.max(0, Math.min(counted, documents))
    return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
  }
}
