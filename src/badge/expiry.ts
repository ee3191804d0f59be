import { asc, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { BadgeStore } from './schema.ts'

/** D1 binds no more parameters to a statement; Postgres, with ten times as many, would rather read all counters. */
const mostPerBatch = 100

const patience = 30_000

/** Deletes the badges from before `horizon` and takes them off the counters, the oldest first, for half a minute at most. */
export async function expireBadges(store: BadgeStore, horizon: Date): Promise<void> {
  const { db, badges } = store
  const end = Date.now() + patience
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

/** Removes those of the badges that are left once their users' other writers wait; one that is gone never comes back. */
async function removeBadges(store: BadgeStore, ids: number[]): Promise<void> {
  const { db, badges, counters } = store
  const isExpired = inArray(badges.id, ids)
  await db.batch([
    holdOwners(store, isExpired),
    store.run(sql`
      ${losses(store, isExpired)}
      UPDATE ${counters} SET count = ${counters.count} - loss.count FROM loss
      WHERE ${counters.collection} = loss.collection AND ${counters.user} = loss."user" AND ${counters.path} = loss.path
    `),
    store.run(sql`
      ${losses(store, isExpired)}
      DELETE FROM ${counters}
      WHERE count = 0 AND (collection, "user", path) IN (SELECT collection, "user", path FROM loss)
    `),
    db.delete(badges).where(isExpired),
  ])
}

/**
 * Makes other writers of the badges' users wait, on Postgres; on D1 they wait anyway. A user whose last badge is deleted
 * meanwhile gets no counter again.
 */
const holdOwners = (store: BadgeStore, isExpired: SQL) =>
  store.run(store.dialect === 'd1' ? sql`SELECT 1` : ownersOf(store, isExpired))

/** In one order, so that no two sweeps wait for each other. */
const ownersOf = ({ badges, counters }: BadgeStore, isExpired: SQL) => sql`
  SELECT 1 FROM ${counters}
  WHERE path = '' AND (collection, "user") IN (SELECT collection, "user" FROM ${badges} WHERE ${isExpired})
  ORDER BY collection, "user"
  FOR UPDATE`

/** How many badges each counter loses: a badge stands at its path, and at what remains as segment by segment is cut off. */
const losses = ({ badges }: BadgeStore, isExpired: SQL) => sql`
  WITH RECURSIVE line (collection, "user", path) AS (
    SELECT collection, "user", path FROM ${badges} WHERE ${isExpired}
    UNION ALL
    SELECT collection, "user", rtrim(rtrim(path, '/'), replace(path, '/', '')) FROM line WHERE path <> ''
  ), loss AS (
    SELECT collection, "user", path, count(*) AS count FROM line GROUP BY 1, 2, 3
  )`
