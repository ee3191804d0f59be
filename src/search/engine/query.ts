// Types of a parsed query, of the statistics for BM25, and of the hits of a search.
import type { Word } from '#search/analysis/types'

/** A parsed query. */
export interface Query {
  /**
   * The different words of the query. Stop words are left out unless the query has no other words. A document of full text must
   * have one of the words, one of typeahead all.
   */
  words: readonly Word[]
  /** The last word, if it also matches as a prefix. Undefined if the query ends with a phrase or an exclusion. */
  last: Word | undefined
  /** Phrases: words that must occur one directly after the other. Each has at least two words, stop words included. */
  phrases: readonly (readonly Word[])[]
  /** Exclusions: words or runs of words that a document must not have, such as those of `-"red tape"` and `-wi-fi`. */
  excluded: readonly (readonly Word[])[]
}

/** The statistics that BM25 needs. They are summed over all shards, so that scores do not depend on the number of shards. */
export interface CollectionStatistics {
  documentCount: number
  /** Number of words of all documents. In full text, a word of a title counts `titleWeight` times. */
  totalLength: number
  /** Number of documents with each term of the query, by the term. */
  documentFrequencies: Record<string, number>
  /**
   * Terms to which the last word of the query expands as a prefix, with their document frequencies. The query's own terms are left
   * out, since they are counted already.
   */
  expansions: Record<string, number>
}

/** A matching document. Hits are ordered by `score`, the higher first, then by `seq`, the lower first. */
export interface Hit {
  score: number
  seq: number
  /** Row of the document in the database of its shard. */
  row: number
}

export interface SearchHits {
  /** The best hits, in the order of the results. */
  hits: Hit[]
  /** Number of all matching documents, if it was requested. */
  total?: number
}
