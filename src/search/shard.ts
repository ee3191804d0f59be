// Durable object of one shard: stores a part of the documents of an index with their inverted index, and searches them.
import { DurableObject } from 'cloudflare:workers'
import type { Person } from '#core/person/places'
import { analyzerOf } from './analysis/analyzer.ts'
import type { Analyzer } from './analysis/types.ts'
import { decodeBatch, type SequencedBatch, splitBySize } from './batch.ts'
import type { IndexedDocument, SizedDocument } from './engine/indexed-document.ts'
import { InvertedIndex } from './engine/inverted-index.ts'
import type { CollectionStatistics, Query } from './engine/query.ts'
import { failure } from './errors.ts'
import { encodeHits, type HitList } from './hits.ts'
import { type CodeMatches, findCodes } from './person-codes.ts'
import type { IndexSettings } from './settings.ts'

/** Size of the database in bytes from which writes get 503 `index_full`. A durable object can hold 10 GB. */
const maxDatabaseBytes = 9_500_000_000

/** Size in bytes of the batches into which a bulk is split, so that the words of a whole bulk are never in memory at once. */
const batchBytes = 2_000_000

/** Delay in milliseconds until the text of deleted documents is removed, so that one flush serves several deletions. */
const settleDelayMs = 60_000

/** Statistics of a shard without documents. Typeahead always uses these, since its scores need no statistics. */
export const emptyStatistics: CollectionStatistics = {
  documentCount: 0,
  totalLength: 0,
  documentFrequencies: {},
  expansions: {},
}

/**
 * One shard. It gets the settings of its index with its first documents. Before that, and after the index is deleted, its storage
 * is empty.
 */
export class Shard<ShardEnv = unknown> extends DurableObject<ShardEnv> {
  #opened: InvertedIndex | undefined
  #analyzer: Analyzer | undefined
  #settings: IndexSettings | undefined

  /** Writes documents in one transaction. Throws `index_full` if the shard has reached its maximum size. */
  write(settings: IndexSettings, batch: SequencedBatch) {
    const { storage } = this.ctx
    if (storage.sql.databaseSize > maxDatabaseBytes) throw failure('index_full', undefined, { retryAfter: 60 })
    if (!this.settings) this.adopt(settings)
    const index = this.#index()!
    try {
      storage.transactionSync(() => {
        for (const part of splitBySize(batch, batchBytes)) index.write(decodeBatch(part))
      })
    } catch (error) {
      // The transaction was rolled back on disk, but the index in memory may still have its changes. It is opened again at the next
      // call.
      this.#opened = undefined
      throw error
    }
    return this.#settleSoon()
  }

  /** Deletes a document. Returns whether the document existed. */
  async remove(code: string): Promise<boolean> {
    const existed = this.#index()?.remove(code) ?? false
    await this.#settleSoon()
    return existed
  }

  get(code: string): IndexedDocument | undefined {
    return this.#index()?.get(code)
  }

  /** Finds the codes after a code that are identifiers of a person, in a bounded step. */
  findCodes(person: Person, after: string): CodeMatches {
    return this.#index() ? findCodes(this.ctx.storage.sql, person, after) : { codes: [] }
  }

  statistics(query: Query, maxExpansions: number): CollectionStatistics {
    return this.#index()?.statistics(query, maxExpansions) ?? emptyStatistics
  }

  search(query: Query, statistics: CollectionStatistics, limit: number, count: boolean): HitList {
    return encodeHits(this.#index()?.search(query, statistics, limit, count) ?? { hits: [], total: 0 })
  }

  /**
   * Reads the documents of hits, by their rows and sequence numbers, in that order. A document that was replaced since the search
   * is read in its current version, a deleted one is `null`. Stops after the document that reaches `maxBytes`.
   */
  read(rows: number[], maxBytes: number, seqs: number[]): (SizedDocument | null)[] {
    const index = this.#index()
    if (!index) return rows.map(() => null)
    const documents: (SizedDocument | null)[] = []
    let left = maxBytes
    for (const document of index.readDocuments(rows, seqs)) {
      documents.push(document)
      left -= document?.bytes ?? 0
      if (left <= 0) break
    }
    return documents
  }

  size(): { documents: number; bytes: number } {
    const index = this.#index()
    return index ? { documents: index.size, bytes: this.ctx.storage.sql.databaseSize } : { documents: 0, bytes: 0 }
  }

  /** Removes the text of deleted documents, after the delay that `remove` and `write` have set. */
  override alarm() {
    this.#index()?.settle()
  }

  /** Deletes all stored data of the shard. */
  async wipe() {
    await this.ctx.storage.deleteAlarm()
    // There must be no await between here and deleteAll: a search that runs in between would open the index again.
    this.#opened = undefined
    this.#analyzer = undefined
    this.#settings = undefined
    await this.ctx.storage.deleteAll()
  }

  protected get settings(): IndexSettings | undefined {
    this.#settings ??= this.ctx.storage.kv.get<IndexSettings>('settings')
    return this.#settings
  }

  /** Stores the settings of the index in this shard. */
  protected adopt(settings: IndexSettings) {
    this.ctx.storage.kv.put('settings', settings)
    this.#settings = settings
  }

  /**
   * Returns the analyzer of the index. The shard keeps a reference, since the analyzer has the word cache and the shared cache may
   * evict it.
   */
  protected analyzer(settings: IndexSettings): Analyzer {
    this.#analyzer ??= analyzerOf(settings)
    return this.#analyzer
  }

  async #settleSoon() {
    const { storage } = this.ctx
    if (!this.#index()?.isUnsettled || (await storage.getAlarm()) !== null) return
    await storage.setAlarm(Date.now() + settleDelayMs)
  }

  /** Returns the index of this shard; undefined if it has no documents yet. */
  #index(): InvertedIndex | undefined {
    if (this.#opened) return this.#opened
    const { settings } = this
    if (!settings) return undefined
    this.#opened = new InvertedIndex(this.ctx.storage, this.analyzer(settings), settings.variant)
    return this.#opened
  }
}
