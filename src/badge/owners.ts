// Lists the collections that have badges, and the users in a collection. There is no table of collections or users: both are read
// from the counters.
import { type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import type { CollectionsOf, UsersOf } from './contract.ts'
import type { BadgeStore } from './schema.ts'

/** Lists the collections that have badges, sorted by name. */
export async function listCollections(store: BadgeStore, page: CollectionsOf) {
  const names = namesIn(store, sql`collection`, sql`WHERE`, page)
  const rows = rowsOf<{ name: string }>(await store.run(sql`${names} SELECT name FROM names WHERE name IS NOT NULL`))
  return rows.map(({ name }) => ({ name }))
}

/** Lists the users that have badges in a collection, sorted by name, with their number of badges. */
export async function listUsers(store: BadgeStore, { collection, ...page }: UsersOf) {
  const names = namesIn(store, sql`"user"`, sql`WHERE collection = ${collection} AND`, page)
  const counted = sql`SELECT name, c.count FROM names JOIN ${store.counters} c
    ON c.collection = ${collection} AND c."user" = name AND c.path = '' ORDER BY name`
  const rows = rowsOf<{ name: string; count: number | string }>(await store.run(sql`${names} ${counted}`))
  return rows.map(({ name, count }) => ({ user: name, count: Number(count) }))
}

/**
 * SQL for the distinct values of a column, after a given value. A recursive query seeks each value in the primary key of the
 * counters (a loose index scan), so that the cost does not depend on the number of counters. The last row may be null, which means
 * that there are no more values.
 */
function namesIn({ counters }: BadgeStore, column: SQL, where: SQL, { after, limit }: CollectionsOf): SQL {
  const next = (previous: SQL) =>
    sql`(SELECT ${column} FROM ${counters} ${where} ${column} > ${previous} ORDER BY ${column} LIMIT 1)`
  return sql`WITH RECURSIVE names (name, place) AS (
    SELECT ${next(sql`${after ?? ''}`)}, 1
    UNION ALL SELECT ${next(sql`names.name`)}, place + 1 FROM names WHERE name IS NOT NULL AND place < ${limit})`
}
