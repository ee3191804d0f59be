// Durable object of one index: creates and deletes the index, sends writes and searches to its shards, and merges their results.
import type { Person } from '#core/person/places'
import { type DocumentBatch, splitByShard } from './batch.ts'
import type { Catalog } from './catalog.ts'
import type { IndexedDocument } from './engine/indexed-document.ts'
import type { Query } from './engine/query.ts'
import { failure, missing } from './errors.ts'
import { hashOf } from './hash.ts'
import { parseQuery } from './parse-query.ts'
import { collectStatistics, readDocuments, type ScoredDocument, searchShards } from './scatter-gather.ts'
import type { IndexSettings } from './settings.ts'
import { emptyStatistics, Shard } from './shard.ts'
import type { ShardClient } from './shard-client.ts'

interface CoordinatorEnv {
  CATALOG: DurableObjectNamespace<Catalog>
  SHARD: DurableObjectNamespace<Shard>
}

/** The stored record of an index, from its creation until its deletion has ended. */
interface IndexRecord {
  name: string
  /** Random id, which is a part of the shards' names. A new index thus never uses shards of a deleted index with the same name. */
  id: string
  /** Time of the creation, in milliseconds since 1970. */
  created_at: number
  /**
   * Set while the index is being deleted. To callers the index no longer exists; after a crash, the cron job completes the
   * deletion.
   */
  isLeaving?: true
}

interface SearchRequest {
  search: string
  from: number
  size: number
  count: boolean
}

interface SearchReply {
  documents: ScoredDocument[]
  /** Whether the page ended early, at the maximum size of a reply. */
  isCut: boolean
  total: number
  /** The parsed query and the settings of the index, which highlighting needs. */
  query: Query
  settings: IndexSettings
}

/** The settings and current size of an index. */
interface IndexDescription extends IndexSettings {
  name: string
  /** Time of the creation, in milliseconds since 1970. */
  created_at: number
  documents: number
  /** Size of all shards on disk, in bytes. */
  bytes: number
}

/** Maximum size of the documents of a reply, in bytes. */
const maxPageBytes = 8_000_000

const shardOf = (shards: readonly ShardClient[], code: string): ShardClient => shards[hashOf(code) % shards.length]!

/**
 * Coordinates one index. Each index name has one coordinator, which is also the first shard of the index. The class is exported to
 * the platform as `Head`.
 */
export class Coordinator extends Shard<CoordinatorEnv> {
  /** The last creation or deletion in the queue, for which the next one waits. */
  #lock: Promise<unknown> = Promise.resolve()
  readonly #writes = new Set<Promise<unknown>>()
  #lastSeq = 0

  createIndex(name: string, settings: IndexSettings): Promise<void> {
    return this.#exclusively(async () => {
      const record = this.#record()
      if (record && !record.isLeaving) throw failure('index_exists')
      if (record) await this.#finishDeletion(record)
      await this.#catalog.markPending(name)
      this.adopt(settings)
      this.ctx.storage.kv.put('index', { name, id: crypto.randomUUID(), created_at: Date.now() } satisfies IndexRecord)
      await this.#catalog.markSettled(name, true)
    })
  }

  deleteIndex(): Promise<void> {
    return this.#exclusively(async () => {
      const { record } = this.#open()
      await this.#catalog.markPending(record.name)
      this.ctx.storage.kv.put('index', { ...record, isLeaving: true } satisfies IndexRecord)
      await this.#finishDeletion(record)
    })
  }

  /** Completes an interrupted creation or deletion, and records in the catalog whether the index exists. */
  finishPending(name: string): Promise<void> {
    return this.#exclusively(async () => {
      const record = this.#record()
      if (record?.isLeaving) await this.#finishDeletion(record)
      else await this.#catalog.markSettled(name, record !== undefined)
    })
  }

  async describeIndex(): Promise<IndexDescription> {
    const { record, settings, shards } = this.#open()
    const sizes = await Promise.all(shards.map((shard) => shard.size()))
    this.#checkUnchanged(record)
    return {
      ...settings,
      name: record.name,
      created_at: record.created_at,
      documents: sizes.reduce((sum, { documents }) => sum + documents, 0),
      bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    }
  }

  /** Writes documents. Each shard writes its documents in one transaction; the shards together are not atomic. */
  async writeDocuments(batch: DocumentBatch): Promise<void> {
    const { settings, shards } = this.#open()
    const sequenced = { ...batch, seqs: this.#nextSeqs(batch.hashes.length) }
    const parts = splitByShard(sequenced, settings.shards)
    await this.#trackWrites(parts.map(async (part, i) => part && shards[i]!.write(settings, part)))
  }

  async deleteDocument(code: string): Promise<void> {
    const { shards } = this.#open()
    const [existed] = await this.#trackWrites([(async () => shardOf(shards, code).remove(code))()])
    if (!existed) throw missing('document', { code })
  }

  async findDocument(code: string): Promise<IndexedDocument> {
    const { record, shards } = this.#open()
    const document = await shardOf(shards, code).get(code)
    this.#checkUnchanged(record)
    if (!document) throw missing('document', { code })
    return document
  }

  /** Finds documents by a person's identifiers, in a bounded step: after a code of a shard. `next` is the place of the next step. */
  async findPerson(
    person: Person,
    shard: number,
    after: string,
  ): Promise<{ codes: string[]; next?: { shard: number; after: string } }> {
    const { record, shards } = this.#open()
    const { codes, next } = (await shards[shard]?.findCodes(person, after)) ?? { codes: [] }
    this.#checkUnchanged(record)
    if (next !== undefined) return { codes, next: { shard, after: next } }
    return shard + 1 < shards.length ? { codes, next: { shard: shard + 1, after: '' } } : { codes }
  }

  async searchDocuments({ search, from, size, count }: SearchRequest): Promise<SearchReply> {
    const { record, settings, shards } = this.#open()
    const { variant } = settings
    const query = parseQuery(search, this.analyzer(settings), variant)
    if (query.words.length === 0) return { documents: [], isCut: false, total: 0, query, settings }
    const statistics = variant === 'fulltext' ? await collectStatistics(shards, query) : emptyStatistics
    const { hits, total } = await searchShards(shards, query, statistics, size === 0 ? 0 : from + size, count)
    const page = await readDocuments(shards, hits.slice(from), maxPageBytes)
    this.#checkUnchanged(record)
    return { ...page, total, query, settings }
  }

  /** The name of the index for error messages. Read from the id of the object, since no record exists if the index does not. */
  get #nameForErrors() {
    const { name } = this.ctx.id
    return name === undefined ? undefined : { name }
  }

  get #catalog() {
    return this.env.CATALOG.getByName('all')
  }

  #record(): IndexRecord | undefined {
    return this.ctx.storage.kv.get<IndexRecord>('index')
  }

  /** Returns the index and its shards. Throws `index_not_found` if the index does not exist or is being deleted. */
  #open(): { record: IndexRecord; settings: IndexSettings; shards: ShardClient[] } {
    const record = this.#record()
    const { settings } = this
    if (!record || record.isLeaving || !settings) throw missing('index', this.#nameForErrors)
    return { record, settings, shards: [this, ...this.#otherShards(record.id, settings)] }
  }

  /**
   * Throws `index_not_found` if the index was deleted during a call. The results may then be partial, or from a new index of the
   * same name.
   */
  #checkUnchanged({ id }: IndexRecord) {
    const current = this.#record()
    if (current?.id !== id || current.isLeaving) throw missing('index', this.#nameForErrors)
  }

  #otherShards(id: string, { shards }: IndexSettings): ShardClient[] {
    return Array.from({ length: shards - 1 }, (_, i) => this.env.SHARD.getByName(`${id}/${i + 1}`))
  }

  /**
   * Wipes all shards of a deleted index. This object is wiped last: its record has the id that the names of the other shards
   * contain, and is needed if a crash interrupts the deletion.
   */
  async #finishDeletion({ name, id }: IndexRecord) {
    await Promise.allSettled(this.#writes)
    await Promise.all(this.#otherShards(id, this.settings!).map((shard) => shard.wipe()))
    await this.wipe()
    await this.#catalog.markSettled(name, false)
  }

  /**
   * Waits for all writes even if one fails. Otherwise a slow write of a failed call could run after the caller has repeated the
   * call, and overwrite newer documents. A deletion of the index waits for the registered writes too.
   */
  async #trackWrites<T>(writes: Promise<T>[]): Promise<T[]> {
    for (const write of writes) {
      this.#writes.add(write)
      void write.catch(() => undefined).then(() => this.#writes.delete(write))
    }
    await Promise.allSettled(writes)
    return Promise.all(writes)
  }

  /** Returns ascending sequence numbers for new documents. They derive from the clock, so that no counter must be stored. */
  #nextSeqs(count: number): number[] {
    return Array.from({ length: count }, () => {
      this.#lastSeq = Math.max(this.#lastSeq + 1, Date.now() * 1024)
      return this.#lastSeq
    })
  }

  /** Mutex: runs creations and deletions of the index one at a time. */
  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lock.then(work, work)
    this.#lock = result
    return result
  }
}
