// Deletes records older than `FEED_RETENTION` every minute, in batches, and tells subscribers.
import { waitUntil } from 'cloudflare:workers'
import { and, asc, eq, inArray, lt, lte } from 'drizzle-orm'
import { isTableGone } from '#core/db/missing-table'
import { open } from '#core/db/open'
import { deleteInBatches, hasBudget, itemsOfMinute, rowsPerBatch, sweepBudget } from '#core/db/retention'
import type { Env } from './bindings.ts'
import type { CollectionTable } from './conditions.ts'
import { recordCutoff } from './env.ts'
import { deleteMatching } from './records.ts'
import { type Feed, recordsOf, schema } from './schema.ts'
import { notifyOfChanges } from './subscribers.ts'

/** Each collection takes a query. */
const maxCollections = 100

/** Deletes expired records of the collections whose turn it is. Does nothing without `FEED_RETENTION`. */
export async function sweepRecords(env: Env, now = new Date()): Promise<void> {
  const cutoff = recordCutoff(env, now)
  if (!cutoff) return
  const feed = open(env, schema)
  const { db, collections } = feed
  const rows = await db.select({ id: collections.id }).from(collections).where(eq(collections.is_ready, true))
  const budget = sweepBudget()
  for (const { id } of itemsOfMinute(rows, maxCollections, now)) {
    if (!hasBudget(budget)) return
    const table = { id, records: recordsOf(feed, id) }
    await deleteInBatches(budget, async () => {
      const { deleted, notifiable } = await deleteExpired(feed, table, cutoff, now)
      notifyOfChanges(env, { waitUntil }, table, notifiable)
      return deleted
    }).catch(ignoreDeleted)
  }
}

/** The collection may have been deleted meanwhile. The sweep continues with the others. */
function ignoreDeleted(error: unknown): void {
  if (!isTableGone(error)) throw error
}

/**
 * Deletes the expired records among the oldest. Records are nearly in the order of `created_at`, which needs no index therefore:
 * callers may set it. Records with a future time are skipped, so that they do not hide expired ones.
 */
async function deleteExpired(feed: Feed, table: CollectionTable, cutoff: Date, now: Date) {
  const { db } = feed
  const { records } = table
  const oldest = db
    .select({ id: records.id, created_at: records.created_at })
    .from(records)
    .where(lte(records.created_at, now))
    .orderBy(asc(records.id))
    .limit(rowsPerBatch)
    .as('oldest')
  const expired = () => db.select({ id: oldest.id }).from(oldest).where(lt(oldest.created_at, cutoff))
  // Deleting locks the table on Postgres, which most sweeps need not do.
  const [first] = await expired().limit(1)
  if (!first) return { deleted: 0, notifiable: [] }
  return deleteMatching(feed, table, and(inArray(records.id, expired()), lt(records.created_at, cutoff))!)
}
