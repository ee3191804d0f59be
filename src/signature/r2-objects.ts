import { asc, eq, inArray, lte } from 'drizzle-orm'
import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { type SignatureStore, schema } from './schema.ts'

const day = 86_400_000

/** Puts bytes into R2 under a key of their own, which the batch that names it takes off the traces; else a sweep does, a day later. */
export async function putObject(env: Env, store: SignatureStore, bytes: Uint8Array): Promise<string> {
  const { db, traces } = store
  const object = crypto.randomUUID()
  await db.insert(traces).values({ object, due_at: new Date(Date.now() + day) })
  await env.FILES.put(object, bytes)
  return object
}

/** Removes an object that no version has come to name. What fails here is done by the sweep. */
export async function dropObject(env: Env, store: SignatureStore, object: string): Promise<void> {
  const { db, traces } = store
  try {
    await env.FILES.delete(object)
    await db.delete(traces).where(eq(traces.object, object))
  } catch {
    // The trace is left, whatever it was.
  }
}

/** D1 binds 100 parameters to a statement. */
const perPage = 90
const patience = 20_000

/** Removes from R2 what no version names, the longest due first, for 20 seconds at most. */
export async function sweepObjects(env: Env, now = new Date()): Promise<void> {
  const { db, traces } = open(env, schema)
  const end = Date.now() + patience
  do {
    const due = await db.select().from(traces).where(lte(traces.due_at, now)).orderBy(asc(traces.due_at)).limit(perPage)
    const objects = due.map(({ object }) => object)
    if (objects.length > 0) {
      await env.FILES.delete(objects)
      await db.delete(traces).where(inArray(traces.object, objects))
    }
    if (due.length < perPage) return
  } while (Date.now() < end)
}
