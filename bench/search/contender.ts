import type { QueryKind } from './corpus/queries.ts'

export type IndexVariant = 'fulltext' | 'typeahead'

/** How many results each query has. */
export const most = 50

/** Something that indexes and searches, wherever it runs. Each gives the identifiers of the best documents, no texts. */
export interface SearchContender {
  /**
   * Indexes all documents of a file, JSON lines of `code`, `title` and `text`, so that they are found; how many milliseconds
   * that took, without those for reading the file.
   */
  index(file: string): Promise<number>
  /** Searches for each text once. */
  search(kind: QueryKind, texts: string[]): Promise<Searched>
  /** Bytes that it takes, as far as it keeps anything there. */
  size(): Promise<{ disk?: number; memory?: number }>
  end(): Promise<void>
}

export interface Searched {
  /** Milliseconds of each; none of what it cannot search for. */
  times: number[]
  /** How many texts had a result. */
  found: number
}
