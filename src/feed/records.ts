import { asc, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import { affectedRows } from '#core/db/open'
import { fillPage, sizeOf, textIfFits } from '#core/db/page'
import { isHeard, logChanges } from './changes.ts'
import { collectionId } from './collections.ts'
import type { Filter, Newest, NewRecord, Patch } from './contract.ts'
import { missing } from './errors.ts'
import { type Choice, chosen, epochOf, firstMatching, isRead, matching, ordered, type Shelf } from './filter.ts'
import { fold } from './fold.ts'
import { type Feed, type Records, recordsOf } from './schema.ts'

/** The records of a collection by name; 404 for one that was not created. */
export async function shelfOf(feed: Feed, collection: string): Promise<Shelf> {
  const id = await collectionId(feed, collection)
  return { id, records: recordsOf(feed, id) }
}

const shown = ({ id, recipient, sender, thread, title, text, image, payload, created_at }: Records) => ({
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

/** D1 binds 100 parameters to a statement; a row has 12 and two more for its epoch. */
const rowsPerStatement = { d1: 7, postgres: 1_000 }

/** Adds records, all or none, in their order. */
export async function addRecords(feed: Feed, shelf: Shelf, contents: NewContent[]) {
  const { db } = feed
  const rows = contents.map((content) => rowOf(feed, shelf, content))
  const inserts = chunksOf(rows, rowsPerStatement[feed.dialect]).map((chunk) =>
    db
      .insert(shelf.records)
      .values(chunk)
      .returning({ ...shown(shelf.records), is_heard: isHeard(feed, shelf, shelf.records.recipient) }),
  )
  const [first, ...rest] = inserts
  if (rest.length === 0) return first!
  return (await db.batch([first!, ...rest])).flat()
}

const rowOf = (feed: Feed, shelf: Shelf, { created_at = new Date(), ...content }: NewContent) => ({
  ...content,
  created_at,
  is_read: false,
  epoch: epochOf(feed, shelf, content.recipient),
  folded_title: folded(content.title),
  folded_text: folded(content.text),
})

const folded = (text: string | undefined) => (text === undefined ? undefined : fold(text))

/** The columns of a record as it is read; for those of one recipient it is said once how often that one has read all. */
const readable = (feed: Feed, shelf: Shelf, recipient?: string) => ({
  ...shown(shelf.records),
  is_read: isRead(feed, shelf, recipient),
})

export async function findRecord(feed: Feed, shelf: Shelf, id: number) {
  const { records } = shelf
  const [found] = await feed.db.select(readable(feed, shelf)).from(records).where(eq(records.id, id))
  if (!found) throw missing('record', { id })
  return found
}

type Listing = Omit<Filter, 'collection' | 'count'>

/**
 * A page of records, with the number of all matches where that is asked for. One that would be too large ends early, and
 * says so.
 */
export async function listRecords(feed: Feed, shelf: Shelf, listing: Listing, counted = false) {
  const { order, limit, offset, ...filter } = listing
  const { records } = shelf
  const page = feed.db
    .select(listed(feed, shelf, listing))
    .from(records)
    .where(firstMatching(feed, shelf, filter, order, offset + limit))
    .orderBy(ordered(records, order))
    .limit(limit)
    .offset(offset)
  return {
    ...(await filled(feed, shelf, await page, limit)),
    ...(counted && { nb_results: await countRecords(feed, shelf, filter, order) }),
  }
}

/** The newest records of a collection, whoever they are for; by their ids, so that the collection may be of any size. */
export async function listNewest(feed: Feed, shelf: Shelf, { id, limit }: Omit<Newest, 'collection'>) {
  const { records } = shelf
  const page = feed.db
    .select(listed(feed, shelf, { limit }))
    .from(records)
    .where(id === undefined ? undefined : lt(records.id, id))
    .orderBy(desc(records.id))
    .limit(limit)
  return filled(feed, shelf, await page, limit)
}

/** The columns of a record in a page. */
function listed(feed: Feed, shelf: Shelf, { limit, user, recipient }: Pick<Listing, 'limit' | 'user' | 'recipient'>) {
  const { text, payload } = shelf.records
  const size = sizeOf(text, payload)
  const read = readable(feed, shelf, user === undefined ? recipient : undefined)
  return { ...read, text: textIfFits(size, limit, text), payload: textIfFits(size, limit, payload), size }
}

async function filled(feed: Feed, shelf: Shelf, page: Awaited<ReturnType<typeof readWhole>>, limit: number) {
  const { rows, isCut } = await fillPage(page, limit, (ids) => readWhole(feed, shelf, ids))
  return { records: rows, ...(isCut && { has_more: true as const }) }
}

/** Records by their ids. */
export function readWhole(feed: Feed, shelf: Shelf, ids: number[]) {
  const { records } = shelf
  return feed.db
    .select({ ...readable(feed, shelf), size: sizeOf(records.text, records.payload) })
    .from(records)
    .where(inArray(records.id, ids))
    .orderBy(asc(records.id))
}

export async function countRecords(feed: Feed, shelf: Shelf, filter: Choice, order: Filter['order'] = 'desc') {
  const [total] = await feed.db
    .select({ n: count() })
    .from(shelf.records)
    .where(matching(feed, shelf, filter, order))
  return total!.n
}

/** Changes the records that a filter chooses. A record that changes its recipient stays read or unread. */
export async function changeRecords(feed: Feed, shelf: Shelf, { where, set }: Pick<Patch, 'where' | 'set'>) {
  const { user, recipient, ...content } = set
  const renames = user !== undefined && where.user !== undefined ? { from: where.user, to: user } : undefined
  const newRecipient =
    recipient === undefined ? renames && renamed(shelf.records.recipient, renames) : sql`${recipient}`
  const values = {
    ...(renames && { sender: renamed(shelf.records.sender, renames) }),
    ...content,
    ...(content.title !== undefined && { folded_title: fold(content.title) }),
    ...(content.text !== undefined && { folded_text: fold(content.text) }),
    ...handedTo(feed, shelf, newRecipient),
  }
  if (Object.keys(values).length === 0) return { updated: 0, heard: [] }
  const touched = chosen(shelf.records, where)
  const log = logChanges(feed, shelf, touched, { newRecipient })
  const change = feed.db.update(shelf.records).set(values).where(touched)
  const [, , result, heard] = await feed.db.batch([log.lock, log.write, change, log.readHeard])
  return { updated: affectedRows(result), heard }
}

const renamed = (
  column: Records['sender'] | Records['recipient'],
  { from, to }: { from: string; to: string },
): SQL<string> => sql`CASE WHEN ${column} = ${from} THEN ${to} ELSE ${column} END`

/** A new recipient has epochs of its own: the flag says from now on what has been true so far. */
const handedTo = (feed: Feed, shelf: Shelf, recipient: SQL<unknown> | undefined) =>
  recipient === undefined
    ? {}
    : { recipient, is_read: isRead(feed, shelf), epoch: epochOf(feed, shelf, sql`${recipient}`) }

export async function deleteRecord(feed: Feed, shelf: Shelf, id: number) {
  const { deleted, heard } = await deleteChosen(feed, shelf, eq(shelf.records.id, id))
  if (deleted === 0) throw missing('record', { id })
  return heard
}

/** Deletes all of a recipient's records. */
export const deleteRecords = (feed: Feed, shelf: Shelf, recipient: string) =>
  deleteChosen(feed, shelf, eq(shelf.records.recipient, recipient))

async function deleteChosen(feed: Feed, shelf: Shelf, choice: SQL) {
  const log = logChanges(feed, shelf, choice, { deletes: true })
  const removal = feed.db.delete(shelf.records).where(choice)
  const [, , result, heard] = await feed.db.batch([log.lock, log.write, removal, log.readHeard])
  return { deleted: affectedRows(result), heard }
}
