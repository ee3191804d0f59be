// Marks records of the feed read or unread, and logs that for open streams. Also deletes old rows of the change log.
import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { affectedRows } from '#core/db/open'
import { hasListeners } from './changes.ts'
import { type CollectionTable, epochOf, isSelected, type SelectedRecord } from './conditions.ts'
import { missing } from './errors.ts'
import type { Feed } from './schema.ts'

/** The columns of a new row in the change log that `notifyOfChanges` needs to notify the recipient's subscribers. */
const loggedColumns = (feed: Feed, table: CollectionTable) => {
  const { id, recipient, record_id, is_read } = feed.changes
  return { id, recipient, record_id, is_read, has_listeners: hasListeners(feed, table, recipient) }
}

/** Marks one record read or unread. Throws 404 if no record has this id. */
export async function markRecord(feed: Feed, table: CollectionTable, selected: SelectedRecord, is_read: boolean) {
  const { db, changes } = feed
  const { records } = table
  const { id } = selected
  const condition = isSelected(table, selected)
  const owner = sql`(SELECT recipient FROM ${records} WHERE ${condition})`
  const [marked, , [change]] = await db.batch([
    db
      .update(records)
      .set({ is_read, epoch: epochOf(feed, table, records.recipient) })
      .where(condition)
      .returning({ id: records.id }),
    feed.run(sql`
      INSERT INTO ${changes} (collection_id, recipient, record_id, is_read, created_at)
      SELECT ${table.id}, recipient, id, ${sql.param(is_read, changes.is_read)}, ${sql.param(new Date(), changes.created_at)}
      FROM ${records} WHERE ${condition}
    `),
    db
      .select(loggedColumns(feed, table))
      .from(changes)
      .where(and(eq(changes.collection_id, table.id), eq(changes.recipient, owner), eq(changes.record_id, id)))
      .orderBy(desc(changes.id))
      .limit(1),
  ])
  if (marked.length === 0) throw missing('record', { id })
  return change!
}

/**
 * Marks all records of a recipient read by incrementing the recipient's epoch. This takes the same time for any number of
 * records.
 */
export async function markAllRead(feed: Feed, table: CollectionTable, recipient: string) {
  const { db, epochs, changes } = feed
  const collection_id = table.id
  const newest = sql<number>`(SELECT coalesce(max(id), 0) FROM ${table.records})`
  const [, [change]] = await db.batch([
    db
      .insert(epochs)
      .values({ collection_id, recipient, epoch: 1 })
      .onConflictDoUpdate({
        target: [epochs.collection_id, epochs.recipient],
        set: { epoch: sql`${epochs.epoch} + 1` },
      }),
    db
      .insert(changes)
      .values({ collection_id, recipient, until: newest, is_read: true, created_at: new Date() })
      .returning(loggedColumns(feed, table)),
  ])
  return change!
}

const changeRetentionMs = 86_400_000

const sweepRows = 5_000
const sweepBudgetMs = 20_000

/** Deletes rows of the change log that are older than a day, in batches. Streams cannot resume from an older position. */
export async function sweepChanges({ db, changes }: Feed, now: Date): Promise<void> {
  const end = Date.now() + sweepBudgetMs
  const old = db
    .select({ id: changes.id })
    .from(changes)
    .where(lt(changes.created_at, new Date(now.getTime() - changeRetentionMs)))
    .limit(sweepRows)
  let deleted = sweepRows
  while (deleted === sweepRows && Date.now() < end)
    deleted = affectedRows(await db.delete(changes).where(inArray(changes.id, old)))
}
