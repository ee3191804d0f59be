import type { Analysis } from '#search/analysis/analysis'
import type { NewDocument, StoredDocument } from './documents.ts'
import type { Found, Measures, Query } from './query.ts'

export type Variant = 'fulltext' | 'typeahead'

/**
 * The documents of one shard and the index over them, in the SQLite of a durable object. A change is there, whole, in memory
 * and on disk as soon as the call returns, or not at all.
 */
export class InvertedIndex {
  constructor(_storage: DurableObjectStorage, _analysis: Analysis, _variant: Variant) {}

  /** How many documents there are. */
  get size(): number {
    throw new Error('Not yet')
  }

  /** Writes documents, in place of those of the same codes; each code at most once in a call. */
  put(_documents: readonly NewDocument[]): void {}

  /** Whether there was such a document. */
  remove(_code: string): boolean {
    return false
  }

  find(_code: string): StoredDocument | undefined {
    return undefined
  }

  /** This shard's share of what scores are made of; of expansions at most so many, the most frequent. */
  measure(_query: Query, _expansions: number): Measures {
    throw new Error('Not yet')
  }

  /** The `most` best documents; with `count`, how many there are. */
  search(_query: Query, _measures: Measures, _most: number, _count: boolean): Found {
    return { hits: [] }
  }

  /** Documents by the rows of their hits, in their order; without those that are gone by now. */
  read(_rows: readonly number[]): StoredDocument[] {
    return []
  }
}
