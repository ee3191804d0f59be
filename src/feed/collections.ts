// Creates, finds and lists collections of the feed. Each collection has its own table for records.
import { asc, eq, sql } from 'drizzle-orm'
import { createTable } from '#core/db/create'
import { type Db, open } from '#core/db/open'
import type { Env } from './bindings.ts'
import type { FeedPaging } from './contract.ts'
import { presetCollections, recordCutoff } from './env.ts'
import { missing } from './errors.ts'
import { type Feed, recordsOf, schema } from './schema.ts'

/** Checks the variables, and creates the collections of `FEED_COLLECTIONS`. */
export async function prepareFeed(env: Env): Promise<void> {
  recordCutoff(env, new Date())
  for (const name of presetCollections(env)) await createCollection(open(env, schema), name)
}

/** Cache of collection ids by name, per database. Collections are never deleted, so cached ids stay valid. */
const idCache = new WeakMap<Db, Map<string, number>>()

/** The id of a collection. Throws 404 if no collection has this name. */
export async function collectionId(feed: Feed, name: string): Promise<number> {
  const id = await findCollection(feed, name)
  if (id === undefined) throw missing('collection', { name })
  return id
}

/** The id of a collection. Undefined if no collection has this name. */
export async function findCollection(feed: Feed, name: string): Promise<number | undefined> {
  const { db, collections } = feed
  const ids = idCache.get(db) ?? new Map<string, number>()
  idCache.set(db, ids)
  const id = ids.get(name)
  if (id !== undefined) return id
  const [found] = await db.select().from(collections).where(eq(collections.name, name))
  if (!found?.is_ready) return undefined
  ids.set(name, found.id)
  return found.id
}

/** Creates a collection with its table and indexes. Has no effect if the collection exists. */
export async function createCollection(feed: Feed, name: string): Promise<void> {
  if ((await findCollection(feed, name)) !== undefined) return
  const { db, collections } = feed
  await db.insert(collections).values({ name, is_ready: false, created_at: new Date() }).onConflictDoNothing()
  const [created] = await db.select().from(collections).where(eq(collections.name, name))
  const { id } = created!
  // If a crash prevents this batch, the name stays without `is_ready`. No lookup finds it then, and the next call of this
  // function completes it.
  const tables = createTable(feed.dialect, recordsOf(feed, id)).map((statement) => feed.run(statement))
  const ready = feed.run(sql`UPDATE ${collections} SET is_ready = true WHERE id = ${id}`)
  await db.batch([ready, ...tables])
}

/** Lists a page of collections, sorted by name, with their total number if `count` is true. */
export async function listCollections({ db, collections }: Feed, { limit, offset, count }: FeedPaging) {
  const ready = eq(collections.is_ready, true)
  const { name, created_at } = collections
  const page = db.select({ name, created_at }).from(collections).where(ready).orderBy(asc(name))
  return {
    collections: await page.limit(limit).offset(offset),
    ...(count && { nb_results: await db.$count(collections, ready) }),
  }
}
