// Deletes what a deleted collection leaves in the tables that all collections share.
import { eq, sql } from 'drizzle-orm'
import { affectedRows } from '#core/db/open'
import { deleteInBatches, rowsPerBatch, sweepBudget } from '#core/db/retention'
import { insertWhere } from './insert-where.ts'
import type { Bus } from './schema.ts'

/** Statement that creates the operation that purges a collection, for the batch that deletes the collection, after the deletion. */
export const purgeLater = ({ run, operations, collections }: Bus, collection: number, now: Date) =>
  run(
    insertWhere(
      operations,
      {
        ...{ id: crypto.randomUUID(), kind: 'purge', collection, filter: '{}', state: 'running', position: 0, last: 0 },
        ...{ matched: 0, done: 0, created_at: now, next_at: now },
      },
      sql`WHERE NOT EXISTS (SELECT 1 FROM ${collections} WHERE id = ${collection})`,
    ),
  )

/** Deletes some of the attempts of a deleted collection. Returns whether none are left. */
export async function purge({ db, attempts }: Bus, collection: number): Promise<boolean> {
  let deleted = rowsPerBatch
  const some = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(eq(attempts.collection, collection))
    .limit(rowsPerBatch)
  await deleteInBatches(sweepBudget(), async () => {
    deleted = affectedRows(await db.delete(attempts).where(sql`${attempts.id} IN (${some})`))
    return deleted
  })
  return deleted < rowsPerBatch
}
