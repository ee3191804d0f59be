import type { QueryKind } from './corpus/queries.ts'

export type IndexVariant = 'fulltext' | 'typeahead'

/** Number of results of a query. */
export const maxResults = 50

/** An index and a search, wherever they run. Results are ids of the best documents, without texts. */
export interface SearchContender {
  /**
   * Indexes a file with JSON lines of `code`, `title` and `text`. Resolves with the milliseconds, without those for reading the
   * file, when the documents can be found.
   */
  index(file: string): Promise<number>
  /** Searches for each text once. */
  search(kind: QueryKind, texts: string[]): Promise<Searched>
  /** Bytes on disk and in memory, if it uses them. */
  size(): Promise<{ disk?: number; memory?: number }>
  end(): Promise<void>
}

export interface Searched {
  /** Milliseconds per text; empty if it does not support the kind of query. */
  times: number[]
  /** Number of texts with a result. */
  found: number
}
