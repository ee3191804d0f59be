// Deletes what a deleted collection leaves in the tables that all collections share.
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { affectedRows } from '#core/db/open'
import { deleteInBatches, rowsPerBatch, type sweepBudget } from '#core/db/retention'
import { insertWhere } from './insert-where.ts'
import type { Bus } from './schema.ts'

type SweepBudget = ReturnType<typeof sweepBudget>

/** A deleted collection or subscription. */
type Purged = { collection: number } | { subscription: string }

/** Statement that creates the operation that purges a collection or a subscription, for the batch that deletes it, after the deletion. */
export const purgeLater = ({ run, operations, collections, subscriptions }: Bus, purged: Purged, now: Date) =>
  run(
    insertWhere(
      operations,
      {
        ...{ id: crypto.randomUUID(), kind: 'purge', collection: 'collection' in purged ? purged.collection : 0 },
        ...{ filter: JSON.stringify(purged), state: 'running', position: 0, last: 0, matched: 0, done: 0 },
        ...{ created_at: now, next_at: now },
      },
      'collection' in purged
        ? sql`WHERE NOT EXISTS (SELECT 1 FROM ${collections} WHERE id = ${purged.collection})`
        : sql`WHERE NOT EXISTS (SELECT 1 FROM ${subscriptions} WHERE id = ${purged.subscription})`,
    ),
  )

/** Deletes some of the rows that a deleted collection or subscription has left. Returns whether none are left. */
export async function purge(bus: Bus, filter: string, budget: SweepBudget): Promise<boolean> {
  const purged = JSON.parse(filter) as Purged
  const { db, attempts, deliveries } = bus
  if ('subscription' in purged) {
    const isOpen = and(eq(deliveries.subscription, purged.subscription), isNotNull(deliveries.next_at))
    return deleteSome(bus, budget, isOpen)
  }
  const { collection } = purged
  const some = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(eq(attempts.collection, collection))
    .limit(rowsPerBatch)
  const isDone = await deleteAll(budget, () => db.delete(attempts).where(sql`${attempts.id} IN (${some})`))
  return isDone && (await deleteSome(bus, budget, eq(deliveries.collection, collection)))
}

/** Deletes some of the deliveries that match. Those of a deleted subscription that are done stay until their document is deleted. */
function deleteSome({ db, deliveries }: Bus, budget: SweepBudget, isChosen: SQL | undefined) {
  const { collection, document, subscription } = deliveries
  const some = db.select({ collection, document, subscription }).from(deliveries).where(isChosen).limit(rowsPerBatch)
  return deleteAll(budget, () =>
    db.delete(deliveries).where(sql`(${collection}, ${document}, ${subscription}) IN (${some})`),
  )
}

/** Runs a deletion in batches. Returns whether the last batch was not full. */
async function deleteAll(budget: SweepBudget, deleteBatch: () => PromiseLike<unknown>) {
  let deleted = rowsPerBatch
  await deleteInBatches(budget, async () => {
    deleted = affectedRows(await deleteBatch())
    return deleted
  })
  return deleted < rowsPerBatch
}
