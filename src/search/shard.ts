import { DurableObject } from 'cloudflare:workers'
import { analysisOf } from './analysis/analyser.ts'
import type { Analysis } from './analysis/analysis.ts'
import type { IndexedDocument, ReadDocument } from './engine/documents.ts'
import { InvertedIndex } from './engine/inverted-index.ts'
import type { Measures, Query } from './engine/query.ts'
import { failure } from './errors.ts'
import { type HitList, packHits } from './hits.ts'
import { lots, type StampedParcel, unpack } from './parcel.ts'
import type { IndexSettings } from './settings.ts'

/** Ten gigabytes is what an object can hold. */
const fullAt = 9_500_000_000

/** What is taken apart at once of a bulk, so that its words need not all be in memory. */
const lotBytes = 2_000_000

/** Milliseconds for which removals gather, before the text of what was removed is forgotten. */
const settlesAfter = 60_000

/**
 * One shard of an index: some of its documents. It learns the settings with its first documents, and before that, or after
 * the index is deleted, it has nothing, in storage neither.
 */
export class Shard<ShardEnv = unknown> extends DurableObject<ShardEnv> {
  #opened: InvertedIndex | undefined
  #analysis: Analysis | undefined
  #settings: IndexSettings | undefined

  /** Writes documents, all or none. */
  put(settings: IndexSettings, parcel: StampedParcel) {
    const { storage } = this.ctx
    if (storage.sql.databaseSize > fullAt) throw failure('index_full', undefined, { retryAfter: 60 })
    if (!this.settings) this.adopt(settings)
    const index = this.#index()!
    try {
      storage.transactionSync(() => {
        for (const lot of lots(parcel, lotBytes)) index.put(unpack(lot))
      })
    } catch (error) {
      // It may have in memory what is undone on disk.
      this.#opened = undefined
      throw error
    }
    return this.#settleSoon()
  }

  /** Whether there was such a document. */
  async take(code: string): Promise<boolean> {
    const wasThere = this.#index()?.remove(code) ?? false
    await this.#settleSoon()
    return wasThere
  }

  get(code: string): IndexedDocument | undefined {
    return this.#index()?.find(code)
  }

  measure(query: Query, expansions: number): Measures {
    return this.#index()?.measure(query, expansions) ?? { documents: 0, length: 0, frequencies: {}, expansions: {} }
  }

  find(query: Query, measures: Measures, most: number, count: boolean): HitList {
    return packHits(this.#index()?.search(query, measures, most, count) ?? { hits: [], total: 0 })
  }

  /**
   * Documents by the rows and seqs of their hits, as many of the first as have so many bytes together, and one more; `null` for
   * one that is gone.
   */
  read(rows: number[], bytes: number, seqs: number[]): (ReadDocument | null)[] {
    const index = this.#index()
    if (!index) return rows.map(() => null)
    const documents: (ReadDocument | null)[] = []
    let left = bytes
    for (const document of index.read(rows, seqs)) {
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

  /** Forgets the text of what was removed. */
  override alarm() {
    this.#index()?.settle()
  }

  /** Deletes all that is stored. */
  async wipe() {
    await this.ctx.storage.deleteAlarm()
    // With no wait before all is deleted, in which a search could open it again.
    this.#opened = undefined
    this.#analysis = undefined
    this.#settings = undefined
    await this.ctx.storage.deleteAll()
  }

  protected get settings(): IndexSettings | undefined {
    this.#settings ??= this.ctx.storage.kv.get<IndexSettings>('settings')
    return this.#settings
  }

  protected adopt(settings: IndexSettings) {
    this.ctx.storage.kv.put('settings', settings)
    this.#settings = settings
  }

  /** The same each time, as it knows the words that it has met. */
  protected analysis(settings: IndexSettings): Analysis {
    this.#analysis ??= analysisOf(settings)
    return this.#analysis
  }

  async #settleSoon() {
    const { storage } = this.ctx
    if (!this.#index()?.isUnsettled || (await storage.getAlarm()) !== null) return
    await storage.setAlarm(Date.now() + settlesAfter)
  }

  #index(): InvertedIndex | undefined {
    if (this.#opened) return this.#opened
    const { settings } = this
    if (!settings) return undefined
    this.#opened = new InvertedIndex(this.ctx.storage, this.analysis(settings), settings.variant)
    return this.#opened
  }
}
