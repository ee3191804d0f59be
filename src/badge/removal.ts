import { inArray, type SQL, sql } from 'drizzle-orm'
import { affectedRows } from '#core/db/open'
import type { BadgeStore } from './schema.ts'

/**
 * Deletes badges by their ids and subtracts them from the counters; returns how many there were. A badge that another
 * request has deleted in the meantime is not subtracted again.
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
 * Locks the counters of the badges' users against other writers on Postgres; D1 runs one batch at a time. A user whose last
 * badge is deleted meanwhile gets no counter again.
 */
const lockOwners = (store: BadgeStore, isRemoved: SQL) =>
  store.run(store.dialect === 'd1' ? sql`SELECT 1` : ownersOf(store, isRemoved))

/** In one order, so that two transactions cannot wait for each other. */
const ownersOf = ({ badges, counters }: BadgeStore, isRemoved: SQL) => sql`
  SELECT 1 FROM ${counters}
  WHERE path = '' AND (collection, "user") IN (SELECT collection, "user" FROM ${badges} WHERE ${isRemoved})
  ORDER BY collection, "user"
  FOR UPDATE`

/** How many badges each counter loses: a badge counts at its path, and at what remains as segment by segment is cut off. */
const losses = ({ badges }: BadgeStore, isRemoved: SQL) => sql`
  WITH RECURSIVE line (collection, "user", path) AS (
    SELECT collection, "user", path FROM ${badges} WHERE ${isRemoved}
    UNION ALL
    SELECT collection, "user", rtrim(rtrim(path, '/'), replace(path, '/', '')) FROM line WHERE path <> ''
  ), loss AS (
    SELECT collection, "user", path, count(*) AS count FROM line GROUP BY 1, 2, 3
  )`
