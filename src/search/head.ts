import type { Catalog } from './catalog.ts'
import type { IndexedDocument } from './engine/documents.ts'
import type { Measures, Query } from './engine/query.ts'
import { failure, missing } from './errors.ts'
import { hashOf } from './hash.ts'
import { type Parcel, split } from './parcel.ts'
import { parseQuery } from './parse-query.ts'
import type { ShardClient } from './part.ts'
import { findAll, measureAll, readAll, type Scored } from './scatter.ts'
import type { IndexSettings } from './settings.ts'
import { Shard } from './shard.ts'

interface HeadEnv {
  CATALOG: DurableObjectNamespace<Catalog>
  SHARD: DurableObjectNamespace<Shard>
}

/** What a head keeps of its index. The id is in its shards' names, so that those of an index that is deleted are never met. */
interface Kept {
  name: string
  id: string
  created_at: number
  isLeaving?: true
}

/** What is looked for, and which of what is found. */
interface Asked {
  search: string
  from: number
  size: number
  count: boolean
}

/** What a search has found. */
interface Answer {
  documents: Scored[]
  isCut: boolean
  total: number
  /** The parsed query and the settings of the index, to highlight what was found. */
  query: Query
  settings: IndexSettings
}

/** An index as it is now; `created_at` in milliseconds since 1970, `bytes` on disk. */
interface Described extends IndexSettings {
  name: string
  created_at: number
  documents: number
  bytes: number
}

/** What the documents of a reply may have together. */
const pageBytes = 8_000_000

/** As you type nothing depends on how often words are. */
const noMeasures: Measures = { documents: 0, length: 0, frequencies: {}, expansions: {} }

const partOf = (parts: readonly ShardClient[], code: string): ShardClient => parts[hashOf(code) % parts.length]!

/** An index: its settings, its first shard, and what asks all shards. One object per name. */
export class Head extends Shard<HeadEnv> {
  #turn: Promise<unknown> = Promise.resolve()
  readonly #writes = new Set<Promise<unknown>>()
  #lastSeq = 0

  createIndex(name: string, settings: IndexSettings): Promise<void> {
    return this.#inTurn(async () => {
      const kept = this.#kept()
      if (kept && !kept.isLeaving) throw failure('index_exists')
      if (kept) await this.#finishLeaving(kept)
      await this.#catalog.announce(name)
      this.adopt(settings)
      this.ctx.storage.kv.put('index', { name, id: crypto.randomUUID(), created_at: Date.now() } satisfies Kept)
      await this.#catalog.settle(name, true)
    })
  }

  deleteIndex(): Promise<void> {
    return this.#inTurn(async () => {
      const { kept } = this.#there()
      await this.#catalog.announce(kept.name)
      this.ctx.storage.kv.put('index', { ...kept, isLeaving: true } satisfies Kept)
      await this.#finishLeaving(kept)
    })
  }

  /** Ends what was cut off, and tells the catalog whether the index is there. */
  settleIndex(name: string): Promise<void> {
    return this.#inTurn(async () => {
      const kept = this.#kept()
      if (kept?.isLeaving) await this.#finishLeaving(kept)
      else await this.#catalog.settle(name, kept !== undefined)
    })
  }

  async describeIndex(): Promise<Described> {
    const { kept, settings, parts } = this.#there()
    const sizes = await Promise.all(parts.map((part) => part.size()))
    this.#stillThere(kept)
    return {
      ...settings,
      name: kept.name,
      created_at: kept.created_at,
      documents: sizes.reduce((sum, { documents }) => sum + documents, 0),
      bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    }
  }

  /** Writes documents; what one shard gets is written whole or not at all. */
  async writeDocuments(parcel: Parcel): Promise<void> {
    const { settings, parts } = this.#there()
    const stamped = { ...parcel, seqs: this.#stamp(parcel.hashes.length) }
    const shares = split(stamped, settings.shards)
    await this.#noting(shares.map(async (share, i) => share && parts[i]!.put(settings, share)))
  }

  async deleteDocument(code: string): Promise<void> {
    const { parts } = this.#there()
    const [wasThere] = await this.#noting([(async () => partOf(parts, code).take(code))()])
    if (!wasThere) throw missing('document', { code })
  }

  async findDocument(code: string): Promise<IndexedDocument> {
    const { kept, parts } = this.#there()
    const document = await partOf(parts, code).get(code)
    this.#stillThere(kept)
    if (!document) throw missing('document', { code })
    return document
  }

  async searchDocuments({ search, from, size, count }: Asked): Promise<Answer> {
    const { kept, settings, parts } = this.#there()
    const { variant } = settings
    const query = parseQuery(search, this.analysis(settings), variant)
    if (query.words.length === 0) return { documents: [], isCut: false, total: 0, query, settings }
    const measures = variant === 'fulltext' ? await measureAll(parts, query) : noMeasures
    const { hits, total } = await findAll(parts, query, measures, size === 0 ? 0 : from + size, count)
    const page = await readAll(parts, hits.slice(from), pageBytes)
    this.#stillThere(kept)
    return { ...page, total, query, settings }
  }

  /** The name of the index, for errors. */
  get #named() {
    const { name } = this.ctx.id
    return name === undefined ? undefined : { name }
  }

  get #catalog() {
    return this.env.CATALOG.getByName('all')
  }

  #kept(): Kept | undefined {
    return this.ctx.storage.kv.get<Kept>('index')
  }

  /** The index, if it is there: 404 if not. */
  #there(): { kept: Kept; settings: IndexSettings; parts: ShardClient[] } {
    const kept = this.#kept()
    const { settings } = this
    if (!kept || kept.isLeaving || !settings) throw missing('index', this.#named)
    return { kept, settings, parts: [this, ...this.#others(kept.id, settings)] }
  }

  /** 404 if the index went while shards were asked: they may have told a part of it, and the first one rows of another index. */
  #stillThere({ id }: Kept) {
    const now = this.#kept()
    if (now?.id !== id || now.isLeaving) throw missing('index', this.#named)
  }

  #others(id: string, { shards }: IndexSettings): ShardClient[] {
    return Array.from({ length: shards - 1 }, (_, i) => this.env.SHARD.getByName(`${id}/${i + 1}`))
  }

  /** Removes all that is stored of an index that nobody sees any more; this object's own at last, as it knows the rest. */
  async #finishLeaving({ name, id }: Kept) {
    await Promise.allSettled(this.#writes)
    await Promise.all(this.#others(id, this.settings!).map((shard) => shard.wipe()))
    await this.wipe()
    await this.#catalog.settle(name, false)
  }

  /** Waits for all writes, though one fails: none is to come after its repeat. The end of the index waits for them too. */
  async #noting<T>(writes: Promise<T>[]): Promise<T[]> {
    for (const write of writes) {
      this.#writes.add(write)
      void write.catch(() => undefined).then(() => this.#writes.delete(write))
    }
    await Promise.allSettled(writes)
    return Promise.all(writes)
  }

  /** What orders so many documents that are new: after all that came before, and by the clock, so that no counter is kept. */
  #stamp(count: number): number[] {
    return Array.from({ length: count }, () => {
      this.#lastSeq = Math.max(this.#lastSeq + 1, Date.now() * 1024)
      return this.#lastSeq
    })
  }

  /** One after the other: what creates and deletes the index. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work)
    this.#turn = turn
    return turn
  }
}
