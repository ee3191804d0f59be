/** The two kinds of indexes: of whole texts, and of texts that are found as somebody types. */
export type Variant = 'fulltext' | 'typeahead'

/** A document to be written. */
export interface NewIndexedDocument {
  code: string
  title: string | null
  text: string
  /** Its place among documents of the same score, which no other has; one that is replaced keeps its own. */
  seq: number
}

/** A document as it is kept. */
export interface IndexedDocument {
  code: string
  title: string | null
  text: string
}

/** A document as it is read, with the UTF-8 bytes of its title and text together. */
export interface ReadDocument extends IndexedDocument {
  bytes: number
}
