// Signed data in R2. A crash between R2 and the database must not leave objects forever: the table `signature_traces` lists the
// objects that may be orphaned, and a sweep deletes them.
import { asc, eq, inArray, lte } from 'drizzle-orm'
import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { type SignatureStore, schema } from './schema.ts'

/** Time for a save to commit after its upload. */
const orphanAfterMs = 86_400_000

/** Uploads bytes under a new key. The batch that saves the version removes the key from the orphans; otherwise a sweep deletes it. */
export async function putObject(env: Env, store: SignatureStore, bytes: Uint8Array): Promise<string> {
  const { db, orphans } = store
  const object = crypto.randomUUID()
  await db.insert(orphans).values({ object, due_at: new Date(Date.now() + orphanAfterMs) })
  await env.FILES.put(object, bytes)
  return object
}

/** Deletes an object whose version was not saved. If this fails, the sweep deletes the object. */
export async function deleteObject(env: Env, store: SignatureStore, object: string): Promise<void> {
  const { db, orphans } = store
  try {
    await env.FILES.delete(object)
    await db.delete(orphans).where(eq(orphans.object, object))
  } catch {
    // The row of the orphan is still there.
  }
}

/** D1 allows 100 parameters in a statement. */
const maxPerPage = 90
const sweepBudgetMs = 20_000

/** Deletes orphaned objects from R2, the longest due first, for at most 20 seconds. */
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
