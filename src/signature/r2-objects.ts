// Stores large signed data in R2, and deletes orphaned objects. The table `signature_traces` lists the objects that may be orphaned
// after a crash between R2 and the database, so that a sweep finds them.
import { asc, eq, inArray, lte } from 'drizzle-orm'
import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { type SignatureStore, schema } from './schema.ts'

/** Time in milliseconds from an upload until its object counts as orphaned. A save commits long before. */
const orphanAfterMs = 86_400_000

/**
 * Uploads bytes under a new key. The key is listed as an orphan before the upload. The batch that saves the version removes it from
 * that list; after a crash, the sweep deletes the object.
 */
export async function putObject(env: Env, store: SignatureStore, bytes: Uint8Array): Promise<string> {
  const { db, orphans } = store
  const object = crypto.randomUUID()
  await db.insert(orphans).values({ object, due_at: new Date(Date.now() + orphanAfterMs) })
  await env.FILES.put(object, bytes)
  return object
}

/** Deletes the object of a version that was not saved. If this fails, the sweep deletes the object later. */
export async function deleteObject(env: Env, store: SignatureStore, object: string): Promise<void> {
  const { db, orphans } = store
  try {
    await env.FILES.delete(object)
    await db.delete(orphans).where(eq(orphans.object, object))
  } catch {
    // The error is ignored: the object is still listed as an orphan, so the sweep deletes it.
  }
}

/** Number of orphans that the sweep deletes at a time. D1 allows 100 parameters in a statement. */
const maxPerPage = 90
const sweepBudgetMs = 20_000

/** Deletes orphaned objects from R2, the longest due first, for at most 20 seconds, so that a run of the sweep ends in time. */
export async function sweepObjects(env: Env, now = new Date()): Promise<void> {
  const { db, orphans } = open(env, schema)
  const end = Date.now() + sweepBudgetMs
  do {
    const due = await db
      .select()
      .from(orphans)
      .where(lte(orphans.due_at, now))
      .orderBy(asc(orphans.due_at))
      .limit(maxPerPage)
    const objects = due.map(({ object }) => object)
    if (objects.length > 0) {
      await env.FILES.delete(objects)
      await db.delete(orphans).where(inArray(orphans.object, objects))
    }
    if (due.length < maxPerPage) return
  } while (Date.now() < end)
}
