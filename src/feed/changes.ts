// Builds the SQL that writes changes and deletions of records to the change log. Open streams read their events from that log.
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { CollectionTable } from './conditions.ts'
import type { Feed } from './schema.ts'

/**
 * A call that changes more records of one recipient than this logs a single `reset`. Subscribers then list the records again.
 */
const maxEventsPerRecipient = 100

/**
 * Statements that log one call. They run in one batch with the statement that changes or deletes the records, before and after
 * it.
 */
interface ChangeLog {
  /**
   * On Postgres, locks the table of records until the batch ends. Otherwise a concurrent call could change records after this
   * call has logged them and before it changes them. D1 runs one batch at a time and needs no lock.
   */
  lock: ReturnType<Feed['run']>
  /** Inserts the events into the change log. */
  write: ReturnType<Feed['run']>
  /** Reads the new events of recipients that may have subscribers. */
  readNotifiable: ReturnType<typeof notifiableAt>
}

/**
 * Builds the statements that log a change or deletion of records. `newRecipient` is the recipient that each record gets: if
 * that is another one, the old recipient's streams get `deleted` and the new recipient's streams `created`.
 */
export function logChanges(
  feed: Feed,
  table: CollectionTable,
  condition: SQL | undefined,
  change: { deletes: true } | { newRecipient: SQL | undefined },
): ChangeLog {
  const { records } = table
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
      SELECT id, recipient AS old, ${next} AS new FROM ${records} WHERE ${condition}
    ), touched AS (
      SELECT id, old, new, count(*) OVER (PARTITION BY old) AS old_count, count(*) OVER (PARTITION BY new) AS new_count
      FROM chosen
    ), events AS (
      ${eventOf('old', sql`CASE WHEN new = old THEN 'updated' ELSE 'deleted' END`)}
      UNION
      ${eventOf('new', sql`'created'`)} WHERE new IS NOT NULL AND new <> old
    )
    INSERT INTO ${changes} (collection_id, recipient, record_id, is_read, event, created_at)
    SELECT ${table.id}, recipient, record_id, ${sql.param(false, changes.is_read)}, event, ${sql.param(now, changes.created_at)}
    FROM events ORDER BY record_id
  `)
  const lock = feed.run(feed.dialect === 'd1' ? sql`SELECT 1` : sql`LOCK TABLE ${records} IN SHARE ROW EXCLUSIVE MODE`)
  return { lock, write, readNotifiable: notifiableAt(feed, table, now) }
}

/** SQL condition: the recipient of a row may have subscribers. */
export const hasListeners = (
  { listeners }: Feed,
  { id }: CollectionTable,
  recipient: CollectionTable['records']['recipient'] | Feed['changes']['recipient'],
) =>
  sql<boolean>`EXISTS (SELECT 1 FROM ${listeners} l WHERE l.collection_id = ${id} AND l.recipient = ${recipient})`.mapWith(
    Boolean,
  )

/**
 * The events with this timestamp whose recipients may have subscribers. Events of another call at the same time may be among
 * them, which does no harm: a stream sends each event once.
 */
const notifiableAt = (feed: Feed, table: CollectionTable, moment: Date) => {
  const { db, changes } = feed
  const { id, recipient } = changes
  const has_listeners = hasListeners(feed, table, recipient)
  return db
    .select({ id, recipient, has_listeners })
    .from(changes)
    .where(
      and(eq(changes.created_at, moment), eq(changes.collection_id, table.id), isNotNull(changes.event), has_listeners),
    )
}
