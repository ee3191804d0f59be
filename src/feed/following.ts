import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import { z } from 'zod'
import type { Told } from './audience.ts'
import { FeedRecord } from './contract.ts'
import type { Shelf } from './filter.ts'
import { readable } from './records.ts'
import type { Feed } from './schema.ts'

/** How far a listener has come: the last record, the last change of read flags. */
export interface Position {
  record: number
  change: number
}

const page = 500
const mostRemembered = 1_000

/**
 * What has happened to a recipient's records, in the order of ids, each once. On Postgres a smaller id may be committed
 * after a larger one: that one is told by its id, and comes late rather than never.
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
    for (let isMore = true; isMore; ) {
      const [records, changes] = await this.#read({
        records: this.#records.late(told.records, this.#position.record),
        changes: this.#changes.late(told.changes, this.#position.change),
      })
      for (const record of records) {
        if (!this.#records.add(record.id)) continue
        this.#position.record = Math.max(this.#position.record, record.id)
        yield this.#event('record', z.encode(FeedRecord, record))
      }
      for (const { id, record_id, is_read } of changes) {
        if (!this.#changes.add(id)) continue
        this.#position.change = Math.max(this.#position.change, id)
        yield this.#event('read', { id: record_id, is_read })
      }
      isMore = records.length >= page || changes.length >= page
    }
  }

  #event(name: string, data: object) {
    return `event: ${name}\nid: ${this.id}\ndata: ${JSON.stringify(data)}\n\n`
  }

  #read(late: Told) {
    const { db, changes } = this.#feed
    const { records, id } = this.#shelf
    const { record, change } = this.#position
    const mine = and(eq(changes.collection_id, id), eq(changes.recipient, this.#recipient))
    return db.batch([
      db
        .select(readable(this.#feed, this.#shelf))
        .from(records)
        .where(and(eq(records.recipient, this.#recipient), after(records.id, record, late.records)))
        .orderBy(asc(records.id))
        .limit(page),
      db
        .select()
        .from(changes)
        .where(and(mine, after(changes.id, change, late.changes)))
        .orderBy(asc(changes.id))
        .limit(page),
    ])
  }
}

/** Ids from a position on, and late ones; without these it is a range of the index. */
const after = (column: Feed['changes']['id'] | Shelf['records']['id'], position: number, late: number[]) =>
  late.length === 0 ? gt(column, position) : or(gt(column, position), inArray(column, late))

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

  /** Those at or before a position that were not sent; no more than a statement can bind. */
  late(ids: number[], position: number) {
    return ids.filter((id) => id <= position && !this.#ids.has(id)).slice(-40)
  }
}
