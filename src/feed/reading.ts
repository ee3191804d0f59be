import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { affectedRows } from '#core/db/open'
import { isHeard } from './changes.ts'
import { missing } from './errors.ts'
import { epochOf, type Shelf } from './filter.ts'
import type { Feed } from './schema.ts'

/** A change of read flags; without a record it is all that the recipient has. */
const announced = (feed: Feed, shelf: Shelf) => {
  const { id, recipient, record_id, is_read } = feed.changes
  return { id, recipient, record_id, is_read, is_heard: isHeard(feed, shelf, recipient) }
}

/** Marks one record read or unread. */
export async function markRecord(feed: Feed, shelf: Shelf, id: number, is_read: boolean) {
  const { db, changes } = feed
  const { records } = shelf
  const owner = sql`(SELECT recipient FROM ${records} WHERE id = ${id})`
  const [marked, , [change]] = await db.batch([
    db
      .update(records)
      .set({ is_read, epoch: epochOf(feed, shelf, records.recipient) })
      .where(eq(records.id, id))
      .returning({ id: records.id }),
    feed.run(sql`
      INSERT INTO ${changes} (collection_id, recipient, record_id, is_read, created_at)
      SELECT ${shelf.id}, recipient, id, ${sql.param(is_read, changes.is_read)}, ${sql.param(new Date(), changes.created_at)}
      FROM ${records} WHERE id = ${id}
    `),
    db
      .select(announced(feed, shelf))
      .from(changes)
      .where(and(eq(changes.collection_id, shelf.id), eq(changes.recipient, owner), eq(changes.record_id, id)))
      .orderBy(desc(changes.id))
      .limit(1),
  ])
  if (marked.length === 0) throw missing('record', { id })
  return change!
}

/** Marks all of a recipient's records read, in a time that does not depend on how many they are. */
export async function markAllRead(feed: Feed, shelf: Shelf, recipient: string) {
  const { db, epochs, changes } = feed
  const collection_id = shelf.id
  const newest = sql<number>`(SELECT coalesce(max(id), 0) FROM ${shelf.records})`
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
      .returning(announced(feed, shelf)),
  ])
  return change!
}

const day = 86_400_000

const sweepRows = 5_000
const sweepBudgetMs = 20_000

/** Deletes changes older than a day, which no stream resumes from, some thousand at a time. */
export async function sweepChanges({ db, changes }: Feed, now: Date): Promise<void> {
  const end = Date.now() + sweepBudgetMs
  const old = db
    .select({ id: changes.id })
    .from(changes)
    .where(lt(changes.created_at, new Date(now.getTime() - day)))
    .limit(sweepRows)
  let deleted = sweepRows
  while (deleted === sweepRows && Date.now() < end)
    deleted = affectedRows(await db.delete(changes).where(inArray(changes.id, old)))
}
