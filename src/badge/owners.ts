import { type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import type { CollectionsOf, UsersOf } from './contract.ts'
import type { BadgeStore } from './schema.ts'

/** The collections that have badges, by their names. */
export async function listCollections(store: BadgeStore, page: CollectionsOf) {
  const names = namesIn(store, sql`collection`, sql`WHERE`, page)
  const found = rowsOf<{ name: string }>(await store.run(sql`${names} SELECT name FROM names WHERE name IS NOT NULL`))
  return found.map(({ name }) => ({ name }))
}

/** The users who have badges in a collection, by their names, with how many. */
export async function listUsers(store: BadgeStore, { collection, ...page }: UsersOf) {
  const names = namesIn(store, sql`"user"`, sql`WHERE collection = ${collection} AND`, page)
  const counted = sql`SELECT name, c.count FROM names JOIN ${store.counters} c
    ON c.collection = ${collection} AND c."user" = name AND c.path = '' ORDER BY name`
  const found = rowsOf<{ name: string; count: number | string }>(await store.run(sql`${names} ${counted}`))
  return found.map(({ name, count }) => ({ user: name, count: Number(count) }))
}

/**
 * The names of a column from one on, each found from the one before by a seek in the key of the counters: to read them costs
 * the same for ten counters of each and for a million. The last may be null.
 */
function namesIn({ counters }: BadgeStore, column: SQL, where: SQL, { after, limit }: CollectionsOf): SQL {
  const next = (above: SQL) =>
    sql`(SELECT ${column} FROM ${counters} ${where} ${column} > ${above} ORDER BY ${column} LIMIT 1)`
  return sql`WITH RECURSIVE names (name, place) AS (
    SELECT ${next(sql`${after ?? ''}`)}, 1
    UNION ALL SELECT ${next(sql`names.name`)}, place + 1 FROM names WHERE name IS NOT NULL AND place < ${limit})`
}
