import { migrate } from '#core/objects/migrate'
import type { Analysis } from '#search/analysis/analysis'
import { SearchAsYouType } from './as-you-type.ts'
import { Best } from './best.ts'
import type { IndexedDocument, NewIndexedDocument, ReadDocument, Variant } from './documents.ts'
import { FullTextSearch } from './full-text.ts'
import { Library } from './library.ts'
import { measure } from './measure.ts'
import { createPages } from './pages.ts'
import type { Found, Measures, Query } from './query.ts'
import { dropScratch } from './scratch.ts'
import type { Segment } from './segment.ts'
import { isShort, ShortSearch } from './short-search.ts'
import { allowedErrors } from './typing-errors.ts'

/**
 * The documents of one shard and the index over them, in the SQLite of a durable object. A change is there, whole, in memory
 * and on disk as soon as the call returns, or not at all.
 */
export class InvertedIndex {
  readonly #storage: DurableObjectStorage
  readonly #analysis: Analysis
  readonly #variant: Variant
  #opened: Library | undefined

  constructor(storage: DurableObjectStorage, analysis: Analysis, variant: Variant) {
    this.#storage = storage
    this.#analysis = analysis
    this.#variant = variant
    migrate(storage, [createTables])
  }

  /** How many documents there are. */
  get size(): number {
    return this.#open().documents
  }

  /** Writes documents, in place of those of the same codes; each code at most once in a call. */
  put(documents: readonly NewIndexedDocument[]) {
    this.#change((library) => library.put(documents))
  }

  /** Whether there was such a document. */
  remove(code: string): boolean {
    return this.#change((library) => library.remove(code))
  }

  /** Whether the text of removed documents is still kept, for a while: until `settle`, or until enough else is written. */
  get isUnsettled(): boolean {
    return this.#open().isUnsettled
  }

  /** Forgets the text of removed documents. */
  settle() {
    this.#change((library) => library.settle())
  }

  find(code: string): IndexedDocument | undefined {
    const rows = this.#storage.sql.exec<Stored>('SELECT code, title, text FROM documents WHERE code = ?', code)
    return [...rows][0]
  }

  /** This shard's share of what scores are made of; of expansions at most so many, the most frequent. */
  measure(query: Query, expansions: number): Measures {
    return measure(this.#open(), query, expansions)
  }

  /** The `most` best documents; with `count`, how many there are. */
  search(query: Query, measures: Measures, most: number, count: boolean): Found {
    if (query.words.length === 0) return { hits: [], total: 0 }
    if (this.#variant === 'fulltext') return this.#run(new FullTextSearch(query, measures), most)
    if (isShort(query) && !count) return this.#run(new ShortSearch(query), most)
    const mayErr = query.words.some(({ term }) => allowedErrors(term) > 0)
    if (mayErr && count) return this.#run(new SearchAsYouType(query, true), most)
    const exact = this.#run(new SearchAsYouType(query, false), most)
    return mayErr && exact.total < most ? this.#run(new SearchAsYouType(query, true), most) : exact
  }

  /**
   * Documents by the rows and seqs of their hits, in their order, each as it is asked for, and as it is now though it has been
   * replaced since; `null` for one that is gone by now.
   */
  *read(rows: readonly number[], seqs: readonly number[]): Generator<ReadDocument | null> {
    let at = 0
    for (const document of this.#documents(rows)) {
      yield document ?? this.#replaced(rows[at]!, seqs[at]!)
      at++
    }
  }

  #replaced(row: number, seq: number): ReadDocument | null {
    const now = this.#open().rowAfter(row, seq)
    return now === undefined ? null : [...this.#documents([now])][0]!
  }

  *#documents(rows: readonly number[]): Generator<ReadDocument | null> {
    const found = this.#storage.sql.exec<Stored & { bytes: number | null }>(
      `SELECT code, title, text, octet_length(text) + ifnull(octet_length(title), 0) AS bytes
       FROM json_each(?) AS asked LEFT JOIN documents ON row = asked.value AND code IS NOT NULL`,
      JSON.stringify(rows),
    )
    for (const { bytes, ...document } of found) yield bytes === null ? null : { ...document, bytes }
  }

  #run(search: Search, most: number): Required<Found> {
    const best = new Best(most)
    try {
      const total = this.#open().segments.reduce((sum, segment) => sum + search.search(segment, best), 0)
      return { hits: best.hits(), total }
    } catch (error) {
      // Other indexes in the same isolate go on with it.
      dropScratch()
      throw error
    }
  }

  /** One transaction. What is in memory is read anew after one that failed. */
  #change<T>(change: (library: Library) => T): T {
    const library = this.#open()
    try {
      return this.#storage.transactionSync(() => change(library))
    } catch (error) {
      this.#opened = undefined
      throw error
    }
  }

  #open(): Library {
    this.#opened ??= new Library(this.#storage, this.#analysis, this.#variant)
    return this.#opened
  }
}

/** Adds to the best what a segment has; returns how many documents it has come to. */
interface Search {
  search(segment: Segment, best: Best): number
}

type Stored = { code: string; title: string | null; text: string }

/**
 * The tables of an index, for `migrate`. A document whose code is null is removed, and is kept until the segment is written
 * that counts its words against those of the others; `dead` are the rows of segments that are removed, until they are merged.
 */
const createTables = `
  CREATE TABLE documents (
    row INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT UNIQUE, seq INTEGER NOT NULL, title TEXT, text TEXT NOT NULL
  );
  CREATE TABLE segments (id INTEGER PRIMARY KEY AUTOINCREMENT, place INTEGER NOT NULL, postings INTEGER NOT NULL);
  CREATE TABLE dead (row INTEGER PRIMARY KEY);
  ${createPages};
`
