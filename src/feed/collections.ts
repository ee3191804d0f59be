import { asc, eq, sql } from 'drizzle-orm'
import { createTable } from '#core/db/create'
import type { Db } from '#core/db/open'
import type { FeedPaging } from './contract.ts'
import { missing } from './errors.ts'
import { type Feed, recordsOf } from './schema.ts'

// A collection is never deleted, so what was found once stays right.
const known = new WeakMap<Db, Map<string, number>>()

/** The registry id of a collection; 404 for one that was not created. */
export async function collectionId(feed: Feed, name: string): Promise<number> {
  const id = await findCollection(feed, name)
  if (id === undefined) throw missing('collection', { name })
  return id
}

/** The registry id of a collection, where it was created. */
export async function findCollection(feed: Feed, name: string): Promise<number | undefined> {
  const { db, collections } = feed
  const ids = known.get(db) ?? new Map<string, number>()
  known.set(db, ids)
  const id = ids.get(name)
  if (id !== undefined) return id
  const [found] = await db.select().from(collections).where(eq(collections.name, name))
  if (!found?.is_ready) return undefined
  ids.set(name, found.id)
  return found.id
}

/** Creates a collection, its table and its indexes; one that exists stays as it is. */
export async function createCollection(feed: Feed, name: string): Promise<void> {
  if ((await findCollection(feed, name)) !== undefined) return
  const { db, collections } = feed
  await db.insert(collections).values({ name, is_ready: false, created_at: new Date() }).onConflictDoNothing()
  const [created] = await db.select().from(collections).where(eq(collections.name, name))
  const { id } = created!
  // A crash before this leaves a name without a table, which is not found, and which the next call completes.
  const tables = createTable(feed.dialect, recordsOf(feed, id)).map((statement) => feed.run(statement))
  const ready = feed.run(sql`UPDATE ${collections} SET is_ready = true WHERE id = ${id}`)
  await db.batch([ready, ...tables])
}

/** A page of the collections, by their names, with the number of all where that is asked for. */
export async function listCollections({ db, collections }: Feed, { limit, offset, count }: FeedPaging) {
  const ready = eq(collections.is_ready, true)
  const { name, created_at } = collections
  const page = db.select({ name, created_at }).from(collections).where(ready).orderBy(asc(name))
  return {
    collections: await page.limit(limit).offset(offset),
    ...(count && { nb_results: await db.$count(collections, ready) }),
  }
}
