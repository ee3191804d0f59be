import type { Best } from './best.ts'
import { toBytes } from './bytes.ts'
import { markExcluded } from './exclusion.ts'
import { markPhrases } from './phrases.ts'
import type { Measures, Query } from './query.ts'
import { Relevance } from './relevance.ts'
import { postingsOf, scratchFor } from './scratch.ts'
import type { Segment } from './segment.ts'

interface Clause {
  term: Uint8Array
  weight: number
}

/** Scores documents by the words that they have: a search of one query in all segments. */
export class FullTextSearch {
  readonly #relevance: Relevance
  readonly #clauses: Clause[]
  readonly #phrases: Uint8Array[][]
  readonly #excluded: Uint8Array[][]

  constructor({ words, phrases, excluded = [] }: Query, measures: Measures) {
    const relevance = new Relevance(measures)
    this.#relevance = relevance
    this.#clauses = [
      ...words.map(({ term }) => ({ term: toBytes(term), weight: relevance.weigh(term) })),
      ...Object.keys(measures.expansions).map((term) => ({
        term: toBytes(term),
        weight: relevance.expansionWeight,
      })),
    ]
    this.#phrases = phrases.map((phrase) => phrase.map(({ term }) => toBytes(term)))
    this.#excluded = excluded.map((run) => run.map(({ term }) => toBytes(term)))
  }

  /** Adds what a segment has; returns how many documents that is. */
  search(segment: Segment, best: Best): number {
    const { rows, seqs } = segment.facts
    const { scores, marks, touched } = scratchFor(rows.length)
    const count = this.#score(segment, scores, touched)
    const unmarkPhrases = markPhrases(segment, this.#phrases, marks)
    const unmarkExcluded = markExcluded(segment, this.#excluded, true, marks)
    let found = 0
    for (let i = 0; i < count; i++) {
      const document = touched[i]!
      if (!segment.dead[document] && marks[document] === this.#phrases.length) {
        found++
        best.add(scores[document]!, seqs[document]!, rows[document]!)
      }
      scores[document] = 0
    }
    unmarkPhrases()
    unmarkExcluded()
    return found
  }

  #score(segment: Segment, scores: Float64Array, touched: Uint32Array): number {
    const { lengths } = segment.facts
    let count = 0
    for (const { term, weight } of this.#clauses) {
      const entry = segment.find(term)
      if (!entry) continue
      const postings = postingsOf(segment, entry)
      for (let i = 0; i < postings.count; i++) {
        const document = postings.documents[i]!
        if (scores[document] === 0) touched[count++] = document
        scores[document]! += this.#relevance.score(weight, postings.titles[i]!, postings.texts[i]!, lengths[document]!)
      }
    }
    return count
  }
}
