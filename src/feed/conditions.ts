// SQL conditions that select the records of a collection, for lists, counts and changes.
import { and, asc, desc, eq, gt, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { CountFilter, Patch, RecordOf } from './contract.ts'
import { fold } from './fold.ts'
import type { Feed, Records } from './schema.ts'

/** A collection: its id, and the Drizzle table of its records. */
export interface CollectionTable {
  id: number
  records: Records
}

/** The filters of `GET /records` within one collection. */
export type RecordFilter = Omit<CountFilter, 'collection'>

/** A record by its id, and by its recipient if the caller is restricted to one. */
export type SelectedRecord = Pick<RecordOf, 'id' | 'recipient'>

/** The condition of a selected record. The recipient is a part of it, so that a foreign record is not found. */
export const isSelected = ({ records }: CollectionTable, { id, recipient }: SelectedRecord): SQL =>
  and(eq(records.id, id), recipient === undefined ? undefined : eq(records.recipient, recipient))!

type Order = 'asc' | 'desc'

export const ordered = ({ id }: Records, order: Order) => (order === 'desc' ? desc(id) : asc(id))

/** Condition for the records that match a filter. `id` in the filter is an exclusive cursor in the given order. */
export const matching = (feed: Feed, table: CollectionTable, filter: RecordFilter, order: Order = 'desc') =>
  and(byOwner(table, filter), byFilters(feed, table, filter, order))

/**
 * Condition for the first `limit` matching records in the given order. For `user` it reads `limit` ids from the index of
 * recipients and the same number from the index of senders, since one query with OR would read and sort all records of the
 * user.
 */
export function firstMatching(feed: Feed, table: CollectionTable, filter: RecordFilter, order: Order, limit: number) {
  const { user } = filter
  if (user === undefined) return matching(feed, table, filter, order)
  const { records } = table
  const firstIds = (column: Records['recipient'] | Records['sender']) =>
    feed.db
      .select({ id: records.id })
      .from(records)
      .where(and(eq(column, user), byFilters(feed, table, filter, order)))
      .orderBy(ordered(records, order))
      .limit(limit)
  const [received, sent] = [firstIds(records.recipient), firstIds(records.sender)]
  return inArray(records.id, sql`(SELECT id FROM (${received}) r UNION SELECT id FROM (${sent}) s)`)
}

/** Condition on the users: either `user` as recipient or sender, or `recipient` with an optional `sender`. */
const byOwner = ({ records }: CollectionTable, { user, recipient, sender }: RecordFilter) =>
  user === undefined ? and(eq(records.recipient, recipient!), equals(records.sender, sender)) : byUser(records, user)

const byUser = ({ recipient, sender }: Records, user: string) => or(eq(recipient, user), eq(sender, user))

/** Condition that a column equals a value. Undefined without a value, which means no condition. */
const equals = (column: Records['recipient'] | Records['sender'] | Records['thread'], value: string | undefined) =>
  value === undefined ? undefined : eq(column, value)

/** The conditions of all filters except those on recipient, sender and user. */
function byFilters(feed: Feed, table: CollectionTable, filter: RecordFilter, order: Order) {
  const { id, thread, search } = filter
  return and(
    byThread(feed, table, thread),
    search ? byText(feed, table, search) : undefined,
    id === undefined ? undefined : order === 'desc' ? lt(table.records.id, id) : gt(table.records.id, id),
    byReadFlag(feed, table, filter),
  )
}

const byThread = ({ kit }: Feed, { records }: CollectionTable, thread: RecordFilter['thread']) =>
  typeof thread === 'string' ? eq(records.thread, thread) : thread && kit.isOneOf(records.thread, thread)

function byText({ kit }: Feed, { records }: CollectionTable, search: string) {
  const folded = fold(search)
  return or(kit.contains(records.folded_title, folded), kit.contains(records.folded_text, folded))
}

function byReadFlag(feed: Feed, table: CollectionTable, { is_read, user, recipient }: RecordFilter) {
  if (is_read === undefined) return undefined
  return is_read ? isRead(feed, table) : isUnread(feed, table, user === undefined ? recipient : undefined)
}

/** The epoch of a recipient in a collection: how often the recipient has marked all records read. */
export const epochOf = (
  { epochs }: Feed,
  { id }: CollectionTable,
  recipient: SQL | Records['recipient'] | string,
): SQL<number> =>
  sql`coalesce((SELECT e.epoch FROM ${epochs} e WHERE e.collection_id = ${id} AND e.recipient = ${recipient}), 0)`

/**
 * SQL condition: a record is read. Either its own flag says so, or its recipient has marked all records read since it was
 * added.
 */
export const isRead = (
  feed: Feed,
  table: CollectionTable,
  recipient: SQL | Records['recipient'] | string = table.records.recipient,
) =>
  sql<boolean>`(${table.records.is_read} OR ${table.records.epoch} < ${epochOf(feed, table, recipient)})`.mapWith(
    Boolean,
  )

/** The negation of `isRead`. It is written so that the index of one recipient has the matching records in one range. */
const isUnread = (feed: Feed, table: CollectionTable, recipient: string | undefined) =>
  and(
    eq(table.records.epoch, epochOf(feed, table, recipient ?? table.records.recipient)),
    eq(table.records.is_read, false),
  )

/** Condition for the records that `PATCH /records` changes. */
export const matchingPatch = (records: Records, { recipient, sender, thread, user }: Patch['where']) =>
  and(
    equals(records.recipient, recipient),
    equals(records.sender, sender),
    equals(records.thread, thread),
    user === undefined ? undefined : byUser(records, user),
  )
