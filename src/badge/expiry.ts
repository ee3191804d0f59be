import { asc, lt } from 'drizzle-orm'
import { removeBadges } from './removal.ts'
import type { BadgeStore } from './schema.ts'

/** D1 binds no more parameters to a statement; Postgres, with ten times as many, would rather read all counters. */
const mostPerBatch = 100

const sweepBudgetMs = 30_000

/** Deletes the badges from before `horizon` and takes them off the counters, the oldest first, for half a minute at most. */
export async function expireBadges(store: BadgeStore, horizon: Date): Promise<void> {
  const { db, badges } = store
  const end = Date.now() + sweepBudgetMs
  do {
    const expired = await db
      .select({ id: badges.id })
      .from(badges)
      .where(lt(badges.created_at, horizon))
      .orderBy(asc(badges.created_at))
      .limit(mostPerBatch)
    if (expired.length === 0) return
    await removeBadges(
      store,
      expired.map(({ id }) => id),
    )
  } while (Date.now() < end)
}
