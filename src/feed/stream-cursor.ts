// Reads the events that a stream has not sent yet from the tables of records and changes. `stream.ts` writes them to
// the client.
import { and, asc, eq, gt, inArray, max } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import type { FeedNotice } from './audience.ts'
import type { CollectionTable } from './conditions.ts'
import { encodeRecord, type FeedRecord } from './contract.ts'
import { listRecords, readRecords } from './records.ts'
import type { Feed } from './schema.ts'

/** A position in a stream: the ids of the last record and of the last row of the change log. */
export interface Position {
  record: number
  change: number
}

/** The position after all present records and changes. */
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

/** The event id of a position, which `Last-Event-ID` repeats. */
export const eventIdOf = ({ record, change }: Position) => `${record}.${change}`

const rowsPerPage = 500

/** Ids remembered to send each event once. More than can wait in the buffer of a subscriber. */
const maxRememberedIds = 100_000

/**
 * Cursor over the events of a recipient, in the order of ids, each once. Changes come before new records, which have their
 * present read flag. On Postgres a smaller id may be committed after a larger one: notices name such ids, and their events
 * follow late.
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

  /** The id of the last event. */
  get eventId() {
    return eventIdOf(this.#position)
  }

  /**
   * Yields the server-sent events of new rows, then of rows that a notice named and that were committed late. Rows that could
   * not be read follow at the next call.
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

  /** Remembers ids that were not sent and that the cursor has passed. Ids after the cursor are read as new rows. */
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

  /** Reads the records of changes in small batches. */
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
      // A record after the cursor follows as a new one. A record that changed again has a later event.
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

/** Events that contain the record. */
const eventsWithRecord = new Set(['created', 'updated'])

/** Records of up to 2 MB each are held in memory at a time. */
const idsPerBatch = 8

/** The ids that were sent last; the oldest are dropped. */
class IdSet {
  readonly #ids = new Set<number>()

  /** Whether the id was not in the set. */
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
