// Deletes documents older than the retention of their collection, or `BOX_RETENTION`, every minute, in batches. Documents that are still to be delivered are kept.
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, not, or, sql } from 'drizzle-orm'
import { isTableGone } from '#core/db/missing-table'
import { affectedRows, open } from '#core/db/open'
import { cutoffOf, deleteInBatches, hasBudget, itemsOfMinute, rowsPerBatch, sweepBudget } from '#core/db/retention'
import { deleteAttempts } from './attempts.ts'
import type { Env } from './bindings.ts'
import { deleteDeliveries, hasOpenDelivery } from './deliveries.ts'
import { type Bus, documentsOf, schema } from './schema.ts'

const dayMs = 86_400_000

/** Each collection takes a query. */
const maxCollections = 100

/** Deletes expired documents of the collections whose turn it is. The retention of a collection wins over `BOX_RETENTION`. */
export async function sweepExpiredDocuments(env: Env, now = new Date()): Promise<void> {
  const general = cutoffOf('BOX_RETENTION', env.BOX_RETENTION, now)
  const bus = open(env, schema)
  const { db, collections } = bus
  const { id, retention, is_ready } = collections
  const hasRetention = general ? undefined : isNotNull(retention)
  const rows = await db
    .select({ id, retention })
    .from(collections)
    .where(and(eq(is_ready, true), hasRetention))
    .orderBy(asc(id))
  const budget = sweepBudget()
  for (const { id, retention } of itemsOfMinute(rows, maxCollections, now)) {
    if (!hasBudget(budget)) return
    const cutoff = retention === null ? general! : new Date(now.getTime() - retention * dayMs)
    await deleteInBatches(budget, () => deleteExpired(bus, id, cutoff, now)).catch(ignoreDeleted)
  }
}

/** The collection may have been deleted meanwhile. */
function ignoreDeleted(error: unknown): void {
  if (!isTableGone(error)) throw error
}

/**
 * Deletes expired documents among the oldest that have ended. Ids are in the order of creation, so that no index on `created_at`
 * is needed. The newest document is kept: D1 would give its id again, and readers that have this id would miss the next document.
 */
async function deleteExpired(bus: Bus, collection: number, cutoff: Date, now: Date): Promise<number> {
  const { db } = bus
  const documents = documentsOf(bus, collection)
  const { id, created_at, next_at, lease_until } = documents
  const isOpen = hasOpenDelivery(bus, collection, sql`${id}`)
  const hasEnded = and(isNull(next_at), or(isNull(lease_until), lte(lease_until, now)), not(isOpen))
  const oldest = db
    .select({ id, created_at })
    .from(documents)
    .where(hasEnded)
    .orderBy(asc(id))
    .limit(rowsPerBatch)
    .as('oldest')
  const expired = db.select({ id: oldest.id }).from(oldest).where(lt(oldest.created_at, cutoff))
  const isOlder = sql`${id} < (SELECT max(newest.id) FROM ${documents} newest)`
  // The conditions are repeated, since a concurrent replay may make a document due again.
  const chosen = and(inArray(id, expired), hasEnded, isOlder)
  const deleted = db.select({ id }).from(documents).where(chosen)
  const [, , done] = await db.batch([
    deleteAttempts(bus, collection, inArray(bus.attempts.document, deleted)),
    deleteDeliveries(bus, collection, inArray(bus.deliveries.document, deleted)),
    db.delete(documents).where(chosen),
  ])
  return affectedRows(done)
}
