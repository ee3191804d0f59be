// Cursor of a feed's stream: reads from the database the events that the stream has not sent yet. `stream.ts` writes them to
// the client.
import { and, asc, eq, gt, inArray, max } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import type { FeedNotice } from './audience.ts'
import type { CollectionTable } from './conditions.ts'
import { encodeRecord, type FeedRecord } from './contract.ts'
import { listRecords, readRecords } from './records.ts'
import type { Feed } from './schema.ts'

/**
 * A position in a stream: the id of the last record, and the id of the last row of the change log, that the stream has read.
 */
export interface Position {
  record: number
  change: number
}

/** The position after all present records and changes of a recipient. A new stream starts there. */
export async function newestPosition(
  { db, changes }: Feed,
  { id, records }: CollectionTable,
  recipient: string,
): Promise<Position> {
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

/** The event id of a position. A client that reconnects sends it as `Last-Event-ID`. */
export const eventIdOf = ({ record, change }: Position) => `${record}.${change}`

const rowsPerPage = 500

/**
 * Number of ids that are remembered, so that each event is sent once. It exceeds the number of ids that can wait in the buffer
 * of a subscriber.
 */
const maxRememberedIds = 100_000

/**
 * Cursor over the events of a recipient, in the order of ids, each event once. Changes come before new records, as a new record
 * already has its present read flag. On Postgres a smaller id can be committed after a larger one: notices name such ids, and
 * the cursor sends their events late.
 */
export class StreamCursor {
  readonly #feed: Feed
  readonly #table: CollectionTable
  readonly #recipient: string
  readonly #position: Position
  readonly #sentRecords = new IdSet()
  readonly #sentChanges = new IdSet()
  #late: FeedNotice = { records: [], changes: [] }

  constructor(feed: Feed, table: CollectionTable, recipient: string, position: Position) {
    this.#feed = feed
    this.#table = table
    this.#recipient = recipient
    this.#position = { ...position }
  }

  /** The event id of the present position. */
  get eventId() {
    return eventIdOf(this.#position)
  }

  /**
   * Yields the server-sent events of new rows, then of rows that a notice named because they were committed late. Late rows
   * that cannot be read now follow at the next call.
   */
  async *catchUp(notice: FeedNotice = { records: [], changes: [] }): AsyncGenerator<string> {
    if (this.#feed.dialect === 'postgres') this.#rememberLate(notice) // D1 commits ids in order.
    yield* this.#untilEmpty(() => this.#newChanges(), this.#changeEvents)
    yield* this.#untilEmpty(() => this.#newRecords(), this.#recordEvents)
    for (const ids of chunksOf(this.#late.changes, idsPerBatch)) yield* this.#changeEvents(await this.#changesBy(ids))
    for (const ids of chunksOf(this.#late.records, idsPerBatch))
      for (const record of await this.#recordsBy(ids)) yield* this.#record(record)
    this.#late = { records: [], changes: [] }
  }

  /**
   * Remembers ids of a notice that the cursor has passed without sending them. Ids after the cursor need no memory: they are
   * read as new rows.
   */
  #rememberLate(notice: FeedNotice) {
    const { record, change } = this.#position
    const records = this.#sentRecords.without(notice.records).filter((id) => id <= record)
    const changes = this.#sentChanges.without(notice.changes).filter((id) => id <= change)
    this.#late = { records: this.#late.records.concat(records), changes: this.#late.changes.concat(changes) }
  }

  async *#untilEmpty<T>(read: () => Promise<T[]>, eventsOf: (rows: T[]) => AsyncGenerator<string>) {
    for (let rows = await read(); rows.length > 0; rows = await read()) yield* eventsOf.call(this, rows)
  }

  async *#recordEvents(records: FeedRecord[]) {
    for (const record of records) yield* this.#record(record)
  }

  /** Yields the events of changes. Reads the changed records in small batches, since records can be large. */
  async *#changeEvents(changes: Change[]) {
    for (const batch of chunksOf(changes, idsPerBatch)) {
      const ids = batch.flatMap(({ event, record_id }) => (eventsWithRecord.has(event ?? '') && record_id) || [])
      const records = new Map((ids.length > 0 ? await this.#recordsBy(ids) : []).map((record) => [record.id, record]))
      for (const change of batch) yield* this.#change(change, records.get(change.record_id ?? 0))
    }
  }

  *#record(record: FeedRecord) {
    this.#position.record = Math.max(this.#position.record, record.id)
    if (this.#sentRecords.add(record.id)) yield this.#event('record', encodeRecord(record))
  }

  *#change({ id, record_id, until, is_read, event }: Change, record: FeedRecord | undefined) {
    this.#position.change = Math.max(this.#position.change, id)
    if (!this.#sentChanges.add(id)) return
    if (event === null)
      yield this.#event('read', { ...(record_id === null ? { id: null, until } : { id: record_id }), is_read })
    else if (event === 'reset') yield this.#event('reset', {})
    else if (event === 'deleted') {
      this.#sentRecords.remove(record_id ?? 0)
      yield this.#event('deleted', { id: record_id })
    } else if (record && record.id <= this.#position.record) {
      // A record after the cursor is left out: it follows as a new record. A record that changed again has a later event.
      const isNew = this.#sentRecords.add(record.id)
      if (event === 'updated') yield this.#event('updated', encodeRecord(record))
      else if (isNew) yield this.#event('record', encodeRecord(record))
    }
  }

  #event(name: string, data: object) {
    return `event: ${name}\nid: ${this.eventId}\ndata: ${JSON.stringify(data)}\n\n`
  }

  async #newRecords() {
    const listing = {
      recipient: this.#recipient,
      id: this.#position.record,
      order: 'asc' as const,
      limit: rowsPerPage,
      offset: 0,
    }
    return (await listRecords(this.#feed, this.#table, listing)).records
  }

  #newChanges() {
    const { db, changes } = this.#feed
    return db
      .select()
      .from(changes)
      .where(and(this.#ofRecipient, gt(changes.id, this.#position.change)))
      .orderBy(asc(changes.id))
      .limit(rowsPerPage)
  }

  async #recordsBy(ids: number[]) {
    const found = await readRecords(this.#feed, this.#table, ids)
    return found.filter(({ recipient }) => recipient === this.#recipient)
  }

  #changesBy(ids: number[]) {
    const { db, changes } = this.#feed
    return db
      .select()
      .from(changes)
      .where(and(this.#ofRecipient, inArray(changes.id, ids)))
      .orderBy(asc(changes.id))
  }

  get #ofRecipient() {
    const { changes } = this.#feed
    return and(eq(changes.collection_id, this.#table.id), eq(changes.recipient, this.#recipient))
  }
}

type Change = Feed['changes']['$inferSelect']

/** Events that contain the whole record. */
const eventsWithRecord = new Set(['created', 'updated'])

/** Number of records in memory at a time. Each can have 2 MB. */
const idsPerBatch = 8

/** Set of the ids that were sent last. The oldest ids are dropped when it is full. */
class IdSet {
  readonly #ids = new Set<number>()

  /** Adds an id. Returns whether the id is new in the set. */
  add(id: number): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    if (this.#ids.size > maxRememberedIds) this.#ids.delete(this.#ids.values().next().value!)
    return true
  }

  remove(id: number) {
    this.#ids.delete(id)
  }

  without = (ids: number[]) => ids.filter((id) => !this.#ids.has(id))
}
