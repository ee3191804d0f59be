import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { chunksOf } from '#core/chunks'
import type { Told } from './audience.ts'
import { FeedRecord } from './contract.ts'
import type { Shelf } from './filter.ts'
import { listRecords, readWhole } from './records.ts'
import type { Feed } from './schema.ts'

/** How far a listener has come: the last record, the last change of read flags. */
export interface Position {
  record: number
  change: number
}

const page = 500

/** More than can wait for a listener, who is sent away before. */
const mostRemembered = 100_000

/**
 * What has happened to a recipient's records, in the order of ids, each once; changes of read flags before the records,
 * which say for themselves whether they are read. On Postgres a smaller id may be committed after a larger one: a
 * listener who is there is told of it by its id, and has it late.
 */
export class Following {
  readonly #feed: Feed
  readonly #shelf: Shelf
  readonly #recipient: string
  readonly #position: Position
  readonly #records = new Recent()
  readonly #changes = new Recent()

  constructor(feed: Feed, shelf: Shelf, recipient: string, position: Position) {
    this.#feed = feed
    this.#shelf = shelf
    this.#recipient = recipient
    this.#position = { ...position }
  }

  /** The id of the last event. */
  get id() {
    return `${this.#position.record}.${this.#position.change}`
  }

  /** The events, as they go out, of all that is new, and of what was told and is not known yet. */
  async *catchUp(told: Told = { records: [], changes: [] }): AsyncGenerator<string> {
    yield* this.#untilNone(() => this.#newChanges(), this.#change)
    yield* this.#untilNone(() => this.#newRecords(), this.#record)
    if (this.#feed.dialect === 'd1') return // Ids are committed in their order.
    const late = { records: this.#records.without(told.records), changes: this.#changes.without(told.changes) }
    for (const ids of chunksOf(late.changes, idsAtOnce))
      for (const change of await this.#changesBy(ids)) yield* this.#change(change)
    for (const ids of chunksOf(late.records, idsAtOnce))
      for (const record of await this.#recordsBy(ids)) yield* this.#record(record)
  }

  async *#untilNone<T>(read: () => Promise<T[]>, tell: (item: T) => Generator<string>) {
    for (let found = await read(); found.length > 0; found = await read())
      for (const item of found) yield* tell.call(this, item)
  }

  *#record(record: FeedRecord) {
    this.#position.record = Math.max(this.#position.record, record.id)
    if (this.#records.add(record.id)) yield this.#event('record', z.encode(FeedRecord, record))
  }

  *#change({ id, record_id, until, is_read }: Feed['changes']['$inferSelect']) {
    this.#position.change = Math.max(this.#position.change, id)
    const what = record_id === null ? { id: null, until } : { id: record_id }
    if (this.#changes.add(id)) yield this.#event('read', { ...what, is_read })
  }

  #event(name: string, data: object) {
    return `event: ${name}\nid: ${this.id}\ndata: ${JSON.stringify(data)}\n\n`
  }

  async #newRecords() {
    const listing = {
      recipient: this.#recipient,
      id: this.#position.record,
      order: 'asc' as const,
      limit: page,
      offset: 0,
    }
    return (await listRecords(this.#feed, this.#shelf, listing)).records
  }

  #newChanges() {
    const { db, changes } = this.#feed
    return db
      .select()
      .from(changes)
      .where(and(this.#mine, gt(changes.id, this.#position.change)))
      .orderBy(asc(changes.id))
      .limit(page)
  }

  async #recordsBy(ids: number[]) {
    const found = await readWhole(this.#feed, this.#shelf, ids)
    return found.filter(({ recipient }) => recipient === this.#recipient)
  }

  #changesBy(ids: number[]) {
    const { db, changes } = this.#feed
    return db
      .select()
      .from(changes)
      .where(and(this.#mine, inArray(changes.id, ids)))
      .orderBy(asc(changes.id))
  }

  get #mine() {
    const { changes } = this.#feed
    return and(eq(changes.collection_id, this.#shelf.id), eq(changes.recipient, this.#recipient))
  }
}

/** Few enough that what they stand for can be held. */
const idsAtOnce = 8

/** The ids that were sent last. */
class Recent {
  readonly #ids = new Set<number>()

  /** Whether it is new. */
  add(id: number): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    if (this.#ids.size > mostRemembered) this.#ids.delete(this.#ids.values().next().value!)
    return true
  }

  without = (ids: number[]) => ids.filter((id) => !this.#ids.has(id))
}
