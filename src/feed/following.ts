import { and, asc, eq, gt, inArray, max } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import type { Told } from './audience.ts'
import { encodeRecord, type FeedRecord } from './contract.ts'
import type { Shelf } from './filter.ts'
import { listRecords, readWhole } from './records.ts'
import type { Feed } from './schema.ts'

/** How far a listener has come: the last record, the last change of read flags. */
export interface Position {
  record: number
  change: number
}

/** Where somebody is who has seen all that there is. */
export async function newest({ db, changes }: Feed, { id, records }: Shelf, recipient: string): Promise<Position> {
  const [[record], [change]] = await db.batch([
    db
      .select({ id: max(records.id) })
      .from(records)
      .where(eq(records.recipient, recipient)),
    db
      .select({ id: max(changes.id) })
      .from(changes)
      .where(and(eq(changes.collection_id, id), eq(changes.recipient, recipient))),
  ])
  return { record: record?.id ?? 0, change: change?.id ?? 0 }
}

/** The id of an event after which one is there. */
export const eventIdOf = ({ record, change }: Position) => `${record}.${change}`

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
  #late: Told = { records: [], changes: [] }

  constructor(feed: Feed, shelf: Shelf, recipient: string, position: Position) {
    this.#feed = feed
    this.#shelf = shelf
    this.#recipient = recipient
    this.#position = { ...position }
  }

  /** The id of the last event. */
  get id() {
    return eventIdOf(this.#position)
  }

  /**
   * The events, as they go out, of all that is new, and of what was told and is not known yet. What could not be read is
   * there the next time.
   */
  async *catchUp(told: Told = { records: [], changes: [] }): AsyncGenerator<string> {
    if (this.#feed.dialect === 'postgres') this.#remember(told) // D1 commits ids in their order.
    yield* this.#untilNone(() => this.#newChanges(), this.#changeEvents)
    yield* this.#untilNone(() => this.#newRecords(), this.#recordEvents)
    for (const ids of chunksOf(this.#late.changes, idsAtOnce)) yield* this.#changeEvents(await this.#changesBy(ids))
    for (const ids of chunksOf(this.#late.records, idsAtOnce))
      for (const record of await this.#recordsBy(ids)) yield* this.#record(record)
    this.#late = { records: [], changes: [] }
  }

  /** Keeps what was told and is not known, save for what is ahead: that is read as what is new. */
  #remember(told: Told) {
    const { record, change } = this.#position
    const records = this.#records.without(told.records).filter((id) => id <= record)
    const changes = this.#changes.without(told.changes).filter((id) => id <= change)
    this.#late = { records: this.#late.records.concat(records), changes: this.#late.changes.concat(changes) }
  }

  async *#untilNone<T>(read: () => Promise<T[]>, eventsOf: (items: T[]) => AsyncGenerator<string>) {
    for (let found = await read(); found.length > 0; found = await read()) yield* eventsOf.call(this, found)
  }

  async *#recordEvents(records: FeedRecord[]) {
    for (const record of records) yield* this.#record(record)
  }

  /** Reads the records that changes are about, a few at a time. */
  async *#changeEvents(changes: Change[]) {
    for (const some of chunksOf(changes, idsAtOnce)) {
      const ids = some.flatMap(({ event, record_id }) => (withRecord.has(event ?? '') && record_id) || [])
      const records = new Map((ids.length > 0 ? await this.#recordsBy(ids) : []).map((record) => [record.id, record]))
      for (const change of some) yield* this.#change(change, records.get(change.record_id ?? 0))
    }
  }

  *#record(record: FeedRecord) {
    this.#position.record = Math.max(this.#position.record, record.id)
    if (this.#records.add(record.id)) yield this.#event('record', encodeRecord(record))
  }

  *#change({ id, record_id, until, is_read, event }: Change, record: FeedRecord | undefined) {
    this.#position.change = Math.max(this.#position.change, id)
    if (!this.#changes.add(id)) return
    if (event === null)
      yield this.#event('read', { ...(record_id === null ? { id: null, until } : { id: record_id }), is_read })
    else if (event === 'reset') yield this.#event('reset', {})
    else if (event === 'deleted') {
      this.#records.remove(record_id ?? 0)
      yield this.#event('deleted', { id: record_id })
    } else if (record && record.id <= this.#position.record) {
      // A record that is ahead follows as a new one. A record that has changed since has a later event of its own.
      const isNew = this.#records.add(record.id)
      if (event === 'updated') yield this.#event('updated', encodeRecord(record))
      else if (isNew) yield this.#event('record', encodeRecord(record))
    }
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

type Change = Feed['changes']['$inferSelect']

/** Events that show the record. */
const withRecord = new Set(['created', 'updated'])

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

  remove(id: number) {
    this.#ids.delete(id)
  }

  without = (ids: number[]) => ids.filter((id) => !this.#ids.has(id))
}
