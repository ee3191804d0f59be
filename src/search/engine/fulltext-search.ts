// Full-text search in a segment: scores the documents that have any word of the query, and checks phrases and exclusions.
import { Bm25 } from './bm25.ts'
import { toBytes } from './bytes.ts'
import { markExcluded } from './exclusion.ts'
import { markPhrases } from './phrases.ts'
import type { CollectionStatistics, Query } from './query.ts'
import { postingsOf, scratchBuffersFor } from './scratch-buffers.ts'
import type { Segment } from './segment.ts'
import type { TopK } from './top-k.ts'

/** A term of the query, or a term to which its prefix expands, with its weight. */
interface WeightedTerm {
  term: Uint8Array
  weight: number
}

/** Runs one full-text query. One instance searches all segments of a shard, one after another. */
export class FullTextSearch {
  readonly #bm25: Bm25
  readonly #terms: WeightedTerm[]
  readonly #phrases: Uint8Array[][]
  readonly #excluded: Uint8Array[][]

  constructor({ words, phrases, excluded = [] }: Query, statistics: CollectionStatistics) {
    const bm25 = new Bm25(statistics)
    this.#bm25 = bm25
    this.#terms = [
      ...words.map(({ term }) => ({ term: toBytes(term), weight: bm25.termWeight(term) })),
      ...Object.keys(statistics.expansions).map((term) => ({
        term: toBytes(term),
        weight: bm25.expansionWeight,
      })),
    ]
    this.#phrases = phrases.map((phrase) => phrase.map(({ term }) => toBytes(term)))
    this.#excluded = excluded.map((run) => run.map(({ term }) => toBytes(term)))
  }

  /** Adds the matches of a segment to the top k. Returns the number of matches. */
  search(segment: Segment, topK: TopK): number {
    const { rows, seqs } = segment.docValues
    const { scores, marks, touched } = scratchBuffersFor(rows.length)
    const count = this.#score(segment, scores, touched)
    const unmarkPhrases = markPhrases(segment, this.#phrases, marks)
    const unmarkExcluded = markExcluded(segment, this.#excluded, true, marks)
    let matches = 0
    for (let i = 0; i < count; i++) {
      const document = touched[i]!
      if (!segment.deleted[document] && marks[document] === this.#phrases.length) {
        matches++
        topK.add(scores[document]!, seqs[document]!, rows[document]!)
      }
      scores[document] = 0
    }
    unmarkPhrases()
    unmarkExcluded()
    return matches
  }

  /** Adds up the scores term by term. Returns the number of documents with at least one term. */
  #score(segment: Segment, scores: Float64Array, touched: Uint32Array): number {
    const { lengths } = segment.docValues
    let count = 0
    for (const { term, weight } of this.#terms) {
      const entry = segment.find(term)
      if (!entry) continue
      const postings = postingsOf(segment, entry)
      for (let i = 0; i < postings.count; i++) {
        const document = postings.documents[i]!
        if (scores[document] === 0) touched[count++] = document
        scores[document]! += this.#bm25.score(weight, postings.titles[i]!, postings.texts[i]!, lengths[document]!)
      }
    }
    return count
  }
}
