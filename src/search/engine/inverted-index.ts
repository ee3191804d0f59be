// The inverted index of one shard: the class with which shard.ts writes and searches documents. Other files of this folder do
// the work.
import { migrate } from '#core/objects/migrate'
import type { Analyzer } from '#search/analysis/types'
import { FullTextSearch } from './fulltext-search.ts'
import type { IndexedDocument, NewIndexedDocument, SizedDocument, Variant } from './indexed-document.ts'
import { createPagesTable } from './page-store.ts'
import type { CollectionStatistics, Query, SearchHits } from './query.ts'
import { resetScratchBuffers } from './scratch-buffers.ts'
import type { Segment } from './segment.ts'
import { SegmentStore } from './segment-store.ts'
import { isShortPrefixQuery, ShortPrefixSearch } from './short-prefix-search.ts'
import { shardStatistics } from './statistics.ts'
import { TopK } from './top-k.ts'
import { TypeaheadSearch } from './typeahead-search.ts'
import { maxTypos } from './typos.ts'

/**
 * The documents of one shard with their inverted index, in the SQLite of a durable object. Each change is atomic, and searches see
 * it as soon as the call returns.
 */
export class InvertedIndex {
  readonly #storage: DurableObjectStorage
  readonly #analyzer: Analyzer
  readonly #variant: Variant
  #opened: SegmentStore | undefined

  constructor(storage: DurableObjectStorage, analyzer: Analyzer, variant: Variant) {
    this.#storage = storage
    this.#analyzer = analyzer
    this.#variant = variant
    migrate(storage, [createTables])
  }

  /** Number of documents. */
  get size(): number {
    return this.#open().documentCount
  }

  /** Writes documents, and replaces those with the same codes. A code occurs at most once in a call. */
  write(documents: readonly NewIndexedDocument[]) {
    this.#change((store) => store.write(documents))
  }

  /** Deletes a document. Returns whether it existed. */
  remove(code: string): boolean {
    return this.#change((store) => store.remove(code))
  }

  /** Whether the text of deleted documents is still on the disk. `settle` and a flush of the memtable remove it. */
  get isUnsettled(): boolean {
    return this.#open().isUnsettled
  }

  /** Removes the text of deleted documents from the disk. */
  settle() {
    this.#change((store) => store.settle())
  }

  get(code: string): IndexedDocument | undefined {
    const rows = this.#storage.sql.exec<StoredDocument>('SELECT code, title, text FROM documents WHERE code = ?', code)
    return [...rows][0]
  }

  /** Returns the shard's part of the collection statistics, with its `maxExpansions` most frequent expansions. */
  statistics(query: Query, maxExpansions: number): CollectionStatistics {
    return shardStatistics(this.#open(), query, maxExpansions)
  }

  /** Searches documents. Returns the `limit` best hits; with `count`, also the number of all documents that match. */
  search(query: Query, statistics: CollectionStatistics, limit: number, count: boolean): SearchHits {
    if (query.words.length === 0) return { hits: [], total: 0 }
    if (this.#variant === 'fulltext') return this.#run(new FullTextSearch(query, statistics), limit)
    if (isShortPrefixQuery(query) && !count) return this.#run(new ShortPrefixSearch(query), limit)
    const allowsTypos = query.words.some(({ term }) => maxTypos(term) > 0)
    if (allowsTypos && count) return this.#run(new TypeaheadSearch(query, true), limit)
    const exact = this.#run(new TypeaheadSearch(query, false), limit)
    return allowsTypos && exact.total < limit ? this.#run(new TypeaheadSearch(query, true), limit) : exact
  }

  /**
   * Reads the documents of hits one by one, by their rows and sequence numbers, in that order. A document that was replaced since
   * the search is read in its current version; for a deleted one, yields `null`.
   */
  *readDocuments(rows: readonly number[], seqs: readonly number[]): Generator<SizedDocument | null> {
    let at = 0
    for (const document of this.#documents(rows)) {
      yield document ?? this.#readReplacement(rows[at]!, seqs[at]!)
      at++
    }
  }

  #readReplacement(row: number, seq: number): SizedDocument | null {
    const current = this.#open().currentRow(row, seq)
    return current === undefined ? null : [...this.#documents([current])][0]!
  }

  *#documents(rows: readonly number[]): Generator<SizedDocument | null> {
    const stored = this.#storage.sql.exec<StoredDocument & { bytes: number | null }>(
      `SELECT code, title, text, octet_length(text) + ifnull(octet_length(title), 0) AS bytes
       FROM json_each(?) AS asked LEFT JOIN documents ON row = asked.value AND code IS NOT NULL`,
      JSON.stringify(rows),
    )
    for (const { bytes, ...document } of stored) yield bytes === null ? null : { ...document, bytes }
  }

  #run(search: SegmentSearch, limit: number): Required<SearchHits> {
    const topK = new TopK(limit)
    try {
      const total = this.#open().segments.reduce((sum, segment) => sum + search.search(segment, topK), 0)
      return { hits: topK.hits(), total }
    } catch (error) {
      // A search resets the scratch buffers when it ends, which an error has prevented. Other indexes in the same isolate share
      // these buffers, and would find wrong values.
      resetScratchBuffers()
      throw error
    }
  }

  /**
   * Runs a change in one transaction. After a failure, the state in memory may have parts of the change, so it is discarded and
   * read again from the disk.
   */
  #change<T>(change: (store: SegmentStore) => T): T {
    const store = this.#open()
    try {
      return this.#storage.transactionSync(() => change(store))
    } catch (error) {
      this.#opened = undefined
      throw error
    }
  }

  #open(): SegmentStore {
    this.#opened ??= new SegmentStore(this.#storage, this.#analyzer, this.#variant)
    return this.#opened
  }
}

/**
 * A search of one query, which is called for each segment. Adds the matches of the segment to the top k, and returns the number of
 * matches.
 */
interface SegmentSearch {
  search(segment: Segment, topK: TopK): number
}

type StoredDocument = { code: string; title: string | null; text: string }

/**
 * The tables of an index. A document whose code is null is deleted; its row stays until a flush has subtracted its words from the
 * document frequencies. The table `dead` has the rows of deleted documents that segments still contain (tombstones), until these
 * segments are merged.
 */
const createTables = `
  CREATE TABLE documents (
    row INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT UNIQUE, seq INTEGER NOT NULL, title TEXT, text TEXT NOT NULL
  );
  CREATE TABLE segments (id INTEGER PRIMARY KEY AUTOINCREMENT, place INTEGER NOT NULL, postings INTEGER NOT NULL);
  CREATE TABLE dead (row INTEGER PRIMARY KEY);
  ${createPagesTable};
`
