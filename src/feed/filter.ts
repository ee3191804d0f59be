import { and, asc, desc, eq, gt, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { CountFilter, Patch } from './contract.ts'
import { fold } from './fold.ts'
import type { Feed, Records } from './schema.ts'

/** A collection's records, and where they stand among all. */
export interface Shelf {
  id: number
  records: Records
}

/** How often a recipient has marked all of a collection read. */
export const epochOf = ({ epochs }: Feed, { id }: Shelf, recipient: SQL | Records['recipient'] | string): SQL<number> =>
  sql`coalesce((SELECT e.epoch FROM ${epochs} e WHERE e.collection_id = ${id} AND e.recipient = ${recipient}), 0)`

/** Whether a record is read: by its own flag, or because its recipient has marked all read since. */
export const isRead = (
  feed: Feed,
  shelf: Shelf,
  recipient: SQL | Records['recipient'] | string = shelf.records.recipient,
) =>
  sql<boolean>`(${shelf.records.is_read} OR ${shelf.records.epoch} < ${epochOf(feed, shelf, recipient)})`.mapWith(
    Boolean,
  )

type Direction = 'asc' | 'desc'

/** What chooses records within a collection. */
export type Choice = Omit<CountFilter, 'collection'>

/** The rules for GET `/records`: `user` stands in for recipient and sender, `id` is an exclusive cursor. */
export const matching = (feed: Feed, shelf: Shelf, filter: Choice, order: Direction = 'desc'): SQL | undefined =>
  and(owned(shelf.records, filter), besides(feed, shelf, filter, order))

const owned = ({ recipient, sender }: Records, filter: Choice) =>
  filter.user === undefined
    ? and(eq(recipient, filter.recipient!), filter.sender === undefined ? undefined : eq(sender, filter.sender))
    : or(eq(recipient, filter.user), eq(sender, filter.user))

function besides(feed: Feed, shelf: Shelf, filter: Choice, order: Direction) {
  const { records } = shelf
  const { recipient, user, thread, search, id, is_read } = filter
  return and(
    typeof thread === 'string' ? eq(records.thread, thread) : thread && feed.kit.isOneOf(records.thread, thread),
    search ? found(feed, records, fold(search)) : undefined,
    id === undefined ? undefined : order === 'desc' ? lt(records.id, id) : gt(records.id, id),
    is_read === undefined
      ? undefined
      : is_read
        ? isRead(feed, shelf)
        : unread(feed, shelf, user === undefined ? recipient : undefined),
  )
}

/**
 * The same for the first `most` in order. For a user it takes so many from each of two indexes: to take those that match
 * either and sort them would cost as much as the user has records.
 */
export function firstMatching(feed: Feed, shelf: Shelf, filter: Choice, order: Direction, most: number) {
  const { user } = filter
  if (user === undefined) return matching(feed, shelf, filter, order)
  const { records } = shelf
  const first = (column: Records['recipient'] | Records['sender']) =>
    feed.db
      .select({ id: records.id })
      .from(records)
      .where(and(eq(column, user), besides(feed, shelf, filter, order)))
      .orderBy(ordered(records, order))
      .limit(most)
  const [received, sent] = [first(records.recipient), first(records.sender)]
  return inArray(records.id, sql`(SELECT id FROM (${received}) r UNION SELECT id FROM (${sent}) s)`)
}

const found = ({ kit }: Feed, { folded_title, folded_text }: Records, text: string) =>
  or(kit.contains(folded_title, text), kit.contains(folded_text, text))

/** Written so that, for one recipient, it is a range of the index. */
const unread = (feed: Feed, shelf: Shelf, recipient: string | undefined) =>
  and(
    eq(shelf.records.epoch, epochOf(feed, shelf, recipient ?? shelf.records.recipient)),
    eq(shelf.records.is_read, false),
  )

export const ordered = ({ id }: Records, order: Direction) => (order === 'desc' ? desc(id) : asc(id))

/** The records that a PATCH speaks of. */
export const chosen = ({ recipient, sender, thread }: Records, where: Patch['where']) =>
  and(
    where.recipient === undefined ? undefined : eq(recipient, where.recipient),
    where.sender === undefined ? undefined : eq(sender, where.sender),
    where.thread === undefined ? undefined : eq(thread, where.thread),
    where.user === undefined ? undefined : or(eq(recipient, where.user), eq(sender, where.user)),
  )
