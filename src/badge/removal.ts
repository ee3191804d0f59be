import { inArray, type SQL, sql } from 'drizzle-orm'
import { affectedRows } from '#core/db/open'
import type { BadgeStore } from './schema.ts'

/**
 * Deletes badges by id and subtracts them from the counters. Returns the number of deleted badges. A badge that another
 * request deletes at the same time is subtracted once.
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
 * Locks the counters of the badges' users on Postgres; D1 runs one batch at a time. Unlike an upsert, it creates no counter for
 * a user whose last badge is deleted at the same time.
 */
const lockOwners = (store: BadgeStore, isRemoved: SQL) =>
  store.run(store.dialect === 'd1' ? sql`SELECT 1` : ownersOf(store, isRemoved))

/** Locks rows in a fixed order, so that two transactions cannot deadlock. */
const ownersOf = ({ badges, counters }: BadgeStore, isRemoved: SQL) => sql`
  SELECT 1 FROM ${counters}
  WHERE path = '' AND (collection, "user") IN (SELECT collection, "user" FROM ${badges} WHERE ${isRemoved})
  ORDER BY collection, "user"
  FOR UPDATE`

/** The number of badges that each counter loses: a badge counts at its path and at each of its prefixes. */
const losses = ({ badges }: BadgeStore, isRemoved: SQL) => sql`
  WITH RECURSIVE line (collection, "user", path) AS (
    SELECT collection, "user", path FROM ${badges} WHERE ${isRemoved}
    UNION ALL
    SELECT collection, "user", rtrim(rtrim(path, '/'), replace(path, '/', '')) FROM line WHERE path <> ''
  ), loss AS (
    SELECT collection, "user", path, count(*) AS count FROM line GROUP BY 1, 2, 3
  )`
