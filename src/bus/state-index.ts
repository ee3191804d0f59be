// Adds the index of undelivered documents to the tables of collections that an earlier version of the bus created.
import { and, asc, eq, gt } from 'drizzle-orm'
import { open } from '#core/db/open'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { tableOf } from './collections.ts'
import { schema } from './schema.ts'

/** Collections that one sweep reaches. */
const collectionsPerSweep = 20

/** The setting with the id of the last collection whose table has all indexes. */
const indexed = 'indexed'

/**
 * Creates missing indexes of the next collections. New collections have them already: the statements then do nothing. A table for
 * which the database refuses is skipped: its lists by state are slower.
 */
export async function sweepIndexes(env: Env): Promise<void> {
  const bus = open(env, schema)
  const { db, collections, settings } = bus
  const { id, is_ready } = collections
  const [last] = await db.select().from(settings).where(eq(settings.name, indexed))
  const next = await db
    .select({ id })
    .from(collections)
    .where(and(gt(id, Number(last?.value ?? 0)), eq(is_ready, true)))
    .orderBy(asc(id))
    .limit(collectionsPerSweep)
  for (const collection of next) {
    const [, ...indexes] = tableOf(bus, collection.id)
    for (const statement of indexes) await Promise.resolve(statement).catch(report)
    const value = String(collection.id)
    await db
      .insert(settings)
      .values({ name: indexed, value })
      .onConflictDoUpdate({ target: settings.name, set: { value } })
  }
}

const report = (error: unknown) => log('error', { component: 'bus', route: 'indexes', ...describe(error) })
