import type { Word } from '#search/analysis/analysis'

/** What is looked for: words, and runs of words that must stand in order. */
export interface Query {
  /** In full text any of them, as you type each of them; each once. Without stop words, unless there is nothing else. */
  words: readonly Word[]
  /** The last word, unless the query ends in a phrase: what begins with it counts too. */
  last: Word | undefined
  /** At least two words each, stop words included. */
  phrases: readonly (readonly Word[])[]
  /** What a document must not have: words, or runs of words such as those of `-"red tape"` and `-wi-fi`. */
  excluded: readonly (readonly Word[])[]
}

/** What scores are made of, summed over all shards, so that they do not depend on how many there are. */
export interface Measures {
  documents: number
  /** Words of all documents together; those of titles count as often as they weigh. */
  length: number
  /** Documents that have each of the query's terms. */
  frequencies: Record<string, number>
  /** The terms of words that begin with the last one, without its own, and in how many documents they are. */
  expansions: Record<string, number>
}

/** A document that was found, by what orders it: `score`, the higher first, then `seq`, the lower first. */
export interface Hit {
  score: number
  seq: number
  /** Its row in its shard. */
  row: number
}

export interface Found {
  /** The best, in order. */
  hits: Hit[]
  /** How many there are, where that was asked for. */
  total?: number
}
