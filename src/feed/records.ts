// Adds, reads, changes and deletes the records of a collection. `conditions.ts` has the filters, `read-flags.ts` marks records
// read.
import { asc, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import { affectedRows } from '#core/db/open'
import { fillPage, sizeOf, textIfFits } from '#core/db/page'
import { hasListeners, logChanges } from './changes.ts'
import { collectionId } from './collections.ts'
import {
  type CollectionTable,
  epochOf,
  firstMatching,
  isRead,
  isSelected,
  matching,
  matchingPatch,
  ordered,
  type RecordFilter,
  type SelectedRecord,
} from './conditions.ts'
import type { Filter, Newest, NewRecord, Patch } from './contract.ts'
import { missing } from './errors.ts'
import { fold } from './fold.ts'
import { type Feed, type Records, recordsOf } from './schema.ts'

/** A collection with its table, by name. Throws 404 if no collection has this name. */
export async function tableOf(feed: Feed, collection: string): Promise<CollectionTable> {
  const id = await collectionId(feed, collection)
  return { id, records: recordsOf(feed, id) }
}

const columnsOf = ({ id, recipient, sender, thread, title, text, image, payload, created_at }: Records) => ({
  id,
  recipient,
  sender,
  thread,
  title,
  text,
  image,
  payload,
  created_at,
})

type NewContent = Omit<NewRecord, 'collection'>

/** Number of rows per insert. D1 binds at most 100 parameters per statement; a row has 12, and two more for its epoch. */
const rowsPerStatement = { d1: 7, postgres: 1_000 }

/** Adds all records or none, in one transaction. Their ids are in the order of the input. */
export async function addRecords(feed: Feed, table: CollectionTable, contents: NewContent[]) {
  const { db } = feed
  const rows = contents.map((content) => rowOf(feed, table, content))
  const inserts = chunksOf(rows, rowsPerStatement[feed.dialect]).map((chunk) =>
    db
      .insert(table.records)
      .values(chunk)
      .returning({ ...columnsOf(table.records), has_listeners: hasListeners(feed, table, table.records.recipient) }),
  )
  const [first, ...rest] = inserts
  if (rest.length === 0) return first!
  return (await db.batch([first!, ...rest])).flat()
}

const rowOf = (feed: Feed, table: CollectionTable, { created_at = new Date(), ...content }: NewContent) => ({
  ...content,
  created_at,
  is_read: false,
  epoch: epochOf(feed, table, content.recipient),
  folded_title: folded(content.title),
  folded_text: folded(content.text),
})

const folded = (text: string | undefined) => (text === undefined ? undefined : fold(text))

/**
 * The columns of a record, with its read flag. If `recipient` is given, SQL looks up its epoch once instead of once per row.
 */
const readable = (feed: Feed, table: CollectionTable, recipient?: string) => ({
  ...columnsOf(table.records),
  is_read: isRead(feed, table, recipient),
})

/** Finds a record by id. Throws 404 if no record has this id. */
export async function findRecord(feed: Feed, table: CollectionTable, selected: SelectedRecord) {
  const { records } = table
  const [record] = await feed.db.select(readable(feed, table)).from(records).where(isSelected(table, selected))
  if (!record) throw missing('record', { id: selected.id })
  return record
}

type ListParams = Omit<Filter, 'collection' | 'count'>

/** Lists a page of records, with the number of matches if `isCounted`. The page ends early at 8 MB and then has `has_more`. */
export async function listRecords(feed: Feed, table: CollectionTable, params: ListParams, isCounted = false) {
  const { order, limit, offset, ...filter } = params
  const { records } = table
  const page = feed.db
    .select(pageColumns(feed, table, params))
    .from(records)
    .where(firstMatching(feed, table, filter, order, offset + limit))
    .orderBy(ordered(records, order))
    .limit(limit)
    .offset(offset)
  return {
    ...(await fillRecords(feed, table, await page, limit)),
    ...(isCounted && { nb_results: await countRecords(feed, table, filter, order) }),
  }
}

/**
 * Lists the newest records of a collection, for all recipients. Reads them by id, so the cost does not grow with the
 * collection.
 */
export async function listNewest(feed: Feed, table: CollectionTable, { id, limit }: Omit<Newest, 'collection'>) {
  const { records } = table
  const page = feed.db
    .select(pageColumns(feed, table, { limit }))
    .from(records)
    .where(id === undefined ? undefined : lt(records.id, id))
    .orderBy(desc(records.id))
    .limit(limit)
  return fillRecords(feed, table, await page, limit)
}

/** The columns of a record in a page. Large texts and payloads are left out: `fillRecords` reads them as long as they fit. */
function pageColumns(
  feed: Feed,
  table: CollectionTable,
  { limit, user, recipient }: Pick<ListParams, 'limit' | 'user' | 'recipient'>,
) {
  const { text, payload } = table.records
  const size = sizeOf(text, payload)
  const read = readable(feed, table, user === undefined ? recipient : undefined)
  return { ...read, text: textIfFits(size, limit, text), payload: textIfFits(size, limit, payload), size }
}

/** Reads the texts and payloads that the query of the page left out, until the page has 8 MB. */
async function fillRecords(
  feed: Feed,
  table: CollectionTable,
  page: Awaited<ReturnType<typeof readRecords>>,
  limit: number,
) {
  const { rows, isCut } = await fillPage(page, limit, (ids) => readRecords(feed, table, ids))
  return { records: rows, ...(isCut && { has_more: true as const }) }
}

/** Reads records by their ids, with all columns. */
export function readRecords(feed: Feed, table: CollectionTable, ids: number[]) {
  const { records } = table
  return feed.db
    .select({ ...readable(feed, table), size: sizeOf(records.text, records.payload) })
    .from(records)
    .where(inArray(records.id, ids))
    .orderBy(asc(records.id))
}

export async function countRecords(
  feed: Feed,
  table: CollectionTable,
  filter: RecordFilter,
  order: Filter['order'] = 'desc',
) {
  const [total] = await feed.db
    .select({ n: count() })
    .from(table.records)
    .where(matching(feed, table, filter, order))
  return total!.n
}

/** Changes the records that match `where`. A record whose recipient changes keeps its read flag. */
export async function changeRecords(feed: Feed, table: CollectionTable, { where, set }: Pick<Patch, 'where' | 'set'>) {
  const { user, recipient, ...content } = set
  const renames = user !== undefined && where.user !== undefined ? { from: where.user, to: user } : undefined
  const newRecipient =
    recipient === undefined ? renames && renamed(table.records.recipient, renames) : sql`${recipient}`
  const values = {
    ...(renames && { sender: renamed(table.records.sender, renames) }),
    ...content,
    ...(content.title !== undefined && { folded_title: fold(content.title) }),
    ...(content.text !== undefined && { folded_text: fold(content.text) }),
    ...movedTo(feed, table, newRecipient),
  }
  if (Object.keys(values).length === 0) return { updated: 0, notifiable: [] }
  const condition = matchingPatch(table.records, where)
  const log = logChanges(feed, table, condition, { newRecipient })
  const change = feed.db.update(table.records).set(values).where(condition)
  const [, , result, notifiable] = await feed.db.batch([log.lock, log.write, change, log.readNotifiable])
  return { updated: affectedRows(result), notifiable }
}

const renamed = (
  column: Records['sender'] | Records['recipient'],
  { from, to }: { from: string; to: string },
): SQL<string> => sql`CASE WHEN ${column} = ${from} THEN ${to} ELSE ${column} END`

/**
 * The read flag and epoch of a record that gets another recipient. An epoch counts how often a recipient has marked all records
 * read, so the record gets the new recipient's epoch, and its own flag is set to its present state.
 */
const movedTo = (feed: Feed, table: CollectionTable, recipient: SQL<unknown> | undefined) =>
  recipient === undefined
    ? {}
    : { recipient, is_read: isRead(feed, table), epoch: epochOf(feed, table, sql`${recipient}`) }

/**
 * Deletes a record, and returns the logged events of which subscribers must be notified. Throws 404 if no record has this id.
 */
export async function deleteRecord(feed: Feed, table: CollectionTable, selected: SelectedRecord) {
  const { deleted, notifiable } = await deleteMatching(feed, table, isSelected(table, selected))
  if (deleted === 0) throw missing('record', { id: selected.id })
  return notifiable
}

/** Deletes all records of a recipient. Returns their number, and the events of which subscribers must be notified. */
export const deleteRecords = (feed: Feed, table: CollectionTable, recipient: string) =>
  deleteMatching(feed, table, eq(table.records.recipient, recipient))

/** Deletes the records that match, and returns the logged events of recipients that may have subscribers. */
export async function deleteMatching(feed: Feed, table: CollectionTable, condition: SQL) {
  const log = logChanges(feed, table, condition, { deletes: true })
  const removal = feed.db.delete(table.records).where(condition)
  const [, , result, notifiable] = await feed.db.batch([log.lock, log.write, removal, log.readNotifiable])
  return { deleted: affectedRows(result), notifiable }
}
