// Deletes badges by their ids and updates the counters. The deletion of one badge and the sweep of expired badges use it.
import { inArray, type SQL, sql } from 'drizzle-orm'
import { affectedRows } from '#core/db/open'
import type { BadgeStore } from './schema.ts'

/**
 * Deletes badges by id, and subtracts them from the counters in the same batch. Returns the number of deleted badges. A badge that
 * two requests delete at the same time is subtracted once.
 */
export async function removeBadges(store: BadgeStore, ids: SQL | number[]): Promise<number> {
  const { db, badges, counters } = store
  const isRemoved = inArray(badges.id, ids)
  const results = await db.batch([
    lockOwners(store, isRemoved),
    store.run(sql`
      ${losses(store, isRemoved)}
      UPDATE ${counters} SET count = ${counters.count} - loss.count FROM loss
      WHERE ${counters.collection} = loss.collection AND ${counters.user} = loss."user" AND ${counters.path} = loss.path
    `),
    store.run(sql`
      ${losses(store, isRemoved)}
      DELETE FROM ${counters}
      WHERE count = 0 AND (collection, "user", path) IN (SELECT collection, "user", path FROM loss)
    `),
    db.delete(badges).where(isRemoved),
  ])
  return affectedRows(results[3])
}

/**
 * Locks the counters of the badges' users on Postgres, so that each statement of the batch sees the same badges. D1 runs one batch
 * at a time and needs no lock. Unlike an upsert, the lock creates no counter for a user whose last badge is deleted at the same
 * time.
 */
const lockOwners = (store: BadgeStore, isRemoved: SQL) =>
  store.run(store.dialect === 'd1' ? sql`SELECT 1` : ownersOf(store, isRemoved))

/** SQL that locks one row for each user. The fixed order prevents a deadlock of two transactions. */
const ownersOf = ({ badges, counters }: BadgeStore, isRemoved: SQL) => sql`
  SELECT 1 FROM ${counters}
  WHERE path = '' AND (collection, "user") IN (SELECT collection, "user" FROM ${badges} WHERE ${isRemoved})
  ORDER BY collection, "user"
  FOR UPDATE`

/** SQL for the number of badges that each counter loses. A badge counts at its path and at each path above it. */
const losses = ({ badges }: BadgeStore, isRemoved: SQL) => sql`
  WITH RECURSIVE line (collection, "user", path) AS (
    SELECT collection, "user", path FROM ${badges} WHERE ${isRemoved}
    UNION ALL
    SELECT collection, "user", rtrim(rtrim(path, '/'), replace(path, '/', '')) FROM line WHERE path <> ''
  ), loss AS (
    SELECT collection, "user", path, count(*) AS count FROM line GROUP BY 1, 2, 3
  )`
