// The interface of a search engine that the benchmark measures, ours or a peer's.
import type { QueryKind } from './corpus/queries.ts'

export type IndexVariant = 'fulltext' | 'typeahead'

/** Maximum number of results of a query. */
export const maxResults = 50

/** A search engine, wherever it runs. Results are the ids of the best documents, without their texts. */
export interface SearchContender {
  /**
   * Indexes a file with JSON lines of `code`, `title` and `text`. Resolves when the documents can be found, with the
   * milliseconds that indexing took, without those for reading the file.
   */
  index(file: string): Promise<number>
  /** Searches for each text once. */
  search(kind: QueryKind, texts: string[]): Promise<Searched>
  /** Size of the index in bytes on disk and in memory, if the engine uses them. */
  size(): Promise<{ disk?: number; memory?: number }>
  end(): Promise<void>
}

export interface Searched {
  /** Milliseconds per text. Empty if the engine does not support the kind of query. */
  times: number[]
  /** Number of texts for which the engine has found a document. */
  found: number
}
