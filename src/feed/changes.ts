import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Shelf } from './filter.ts'
import type { Feed } from './schema.ts'

/** If a call changes more records of a recipient than this, the log has one `reset`, after which listeners list again. */
const maxEventsPerRecipient = 100

/** The log of one call: the statements stand before and after the one that changes or deletes the records, in its batch. */
interface ChangeLog {
  /** On Postgres, keeps other writers away until the batch ends, so that the log and the change are about the same records. */
  lock: ReturnType<Feed['run']>
  /** Writes the events. */
  write: ReturnType<Feed['run']>
  /** Reads the events of recipients who may be listening. */
  readHeard: ReturnType<typeof heardAt>
}

/**
 * Logs that records change, or are deleted. `newRecipient` is the recipient that each will have: if it differs, the record is
 * `deleted` for the old recipient and `created` for the new one.
 */
export function logChanges(
  feed: Feed,
  shelf: Shelf,
  chosen: SQL | undefined,
  change: { deletes: true } | { newRecipient: SQL | undefined },
): ChangeLog {
  const { records } = shelf
  const { changes } = feed
  const now = new Date()
  const next = 'deletes' in change ? sql`NULL` : (change.newRecipient ?? sql`${records.recipient}`)
  const eventOf = (recipient: string, event: SQL) => {
    const isReset = sql`${sql.raw(`${recipient}_count`)} > ${sql.raw(String(maxEventsPerRecipient))}`
    return sql`
      SELECT ${sql.raw(recipient)} AS recipient, CASE WHEN ${isReset} THEN NULL ELSE id END AS record_id,
        CASE WHEN ${isReset} THEN 'reset' ELSE ${event} END AS event
      FROM touched`
  }
  const write = feed.run(sql`
    WITH chosen AS (
      SELECT id, recipient AS old, ${next} AS new FROM ${records} WHERE ${chosen}
    ), touched AS (
      SELECT id, old, new, count(*) OVER (PARTITION BY old) AS old_count, count(*) OVER (PARTITION BY new) AS new_count
      FROM chosen
    ), events AS (
      ${eventOf('old', sql`CASE WHEN new = old THEN 'updated' ELSE 'deleted' END`)}
      UNION
      ${eventOf('new', sql`'created'`)} WHERE new IS NOT NULL AND new <> old
    )
    INSERT INTO ${changes} (collection_id, recipient, record_id, is_read, event, created_at)
    SELECT ${shelf.id}, recipient, record_id, ${sql.param(false, changes.is_read)}, event, ${sql.param(now, changes.created_at)}
    FROM events ORDER BY record_id
  `)
  const lock = feed.run(feed.dialect === 'd1' ? sql`SELECT 1` : sql`LOCK TABLE ${records} IN SHARE ROW EXCLUSIVE MODE`)
  return { lock, write, readHeard: heardAt(feed, shelf, now) }
}

/** Whether somebody may be listening to the recipient of what was just written. */
export const isHeard = (
  { listeners }: Feed,
  { id }: Shelf,
  recipient: Shelf['records']['recipient'] | Feed['changes']['recipient'],
) =>
  sql<boolean>`EXISTS (SELECT 1 FROM ${listeners} l WHERE l.collection_id = ${id} AND l.recipient = ${recipient})`.mapWith(
    Boolean,
  )

/** The logged events of a moment whose recipients may be listening. Those of another call at this moment do no harm. */
const heardAt = (feed: Feed, shelf: Shelf, moment: Date) => {
  const { db, changes } = feed
  const { id, recipient } = changes
  const is_heard = isHeard(feed, shelf, recipient)
  return db
    .select({ id, recipient, is_heard })
    .from(changes)
    .where(and(eq(changes.created_at, moment), eq(changes.collection_id, shelf.id), isNotNull(changes.event), is_heard))
}
