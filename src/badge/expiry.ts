// Deletes expired badges, in batches. The Worker calls it every minute with the time before which a badge has expired, which
// `env.ts` computes.
import { asc, lt } from 'drizzle-orm'
import { removeBadges } from './removal.ts'
import type { BadgeStore } from './schema.ts'

/**
 * Maximum number of badges that one batch deletes. D1 binds at most 100 parameters per statement, and with more ids, Postgres would
 * read the whole table of counters.
 */
const maxIdsPerBatch = 100

const sweepBudgetMs = 30_000

/**
 * Deletes badges created before `cutoff`, oldest first, and subtracts them from the counters. Stops after 30 seconds; the next run
 * continues.
 */
export async function expireBadges(store: BadgeStore, cutoff: Date): Promise<void> {
  const { db, badges } = store
  const end = Date.now() + sweepBudgetMs
  do {
    const expired = await db
      .select({ id: badges.id })
      .from(badges)
      .where(lt(badges.created_at, cutoff))
      .orderBy(asc(badges.created_at))
      .limit(maxIdsPerBatch)
    if (expired.length === 0) return
    await removeBadges(
      store,
      expired.map(({ id }) => id),
    )
  } while (Date.now() < end)
}
