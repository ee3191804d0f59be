// Types of a parsed query, of the statistics for BM25, and of the hits of a search.
import type { Word } from '#search/analysis/types'

/** A parsed query. */
export interface Query {
  /** Different words, without stop words unless the query has no others. Full text needs one of them, typeahead all. */
  words: readonly Word[]
  /** The last word if it also matches as a prefix: not in a query that ends with a phrase or an exclusion. */
  last: Word | undefined
  /** Words that must occur one after the other: at least two each, stop words included. */
  phrases: readonly (readonly Word[])[]
  /** Words or runs of words that a document must not have, such as those of `-"red tape"` and `-wi-fi`. */
  excluded: readonly (readonly Word[])[]
}

/** The statistics that BM25 needs, summed over all shards, so that scores do not depend on the number of shards. */
export interface CollectionStatistics {
  documentCount: number
  /** Number of words of all documents; in full text, a word of a title counts `titleWeight` times. */
  totalLength: number
  /** Number of documents with each term of the query. */
  documentFrequencies: Record<string, number>
  /** The terms that the last word of the query expands to as a prefix, except the query's own, with their document frequencies. */
  expansions: Record<string, number>
}

/** A matching document. Hits are ordered by `score`, the higher first, then by `seq`, the lower first. */
export interface Hit {
  score: number
  seq: number
  /** Row of the document in its shard. */
  row: number
}

export interface SearchHits {
  /** The best hits, in order. */
  hits: Hit[]
  /** Number of all matching documents, if it was requested. */
  total?: number
}
