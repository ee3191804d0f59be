// The types of documents in an index, and the two variants of indexes: fulltext and typeahead.

/** The component that an index belongs to: full-text search of documents, or search as you type. */
export type Variant = 'fulltext' | 'typeahead'

export interface IndexedDocument {
  code: string
  title: string | null
  text: string
}

/** A document that is to be written to an index. */
export interface NewIndexedDocument extends IndexedDocument {
  /**
   * Unique sequence number, which orders documents with equal scores. A document that replaces another one gets the number of the
   * replaced document.
   */
  seq: number
}

/** A document with its size, by which pages of results are cut. */
export interface SizedDocument extends IndexedDocument {
  /** Size of title and text in bytes of UTF-8. */
  bytes: number
}
