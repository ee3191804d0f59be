// Tracks documents that the queue did not accept or whose task was lost, so that the sweep creates their tasks again.
import { and, asc, eq, inArray, isNull, lt, lte, or } from 'drizzle-orm'
import { type Bus, documentsOf } from './schema.ts'

/** `next_at` of a document that the queue did not accept: earlier than any other, so that the sweep finds it at once. */
const unqueued = new Date(0)

interface DocumentRef {
  collection: number
  document: number
}

/** Marks a document as not accepted by the queue, unless a delivery has begun: then the queue has its task although the call failed. */
export async function markUnqueued({ db, ...bus }: Bus, { collection, document }: DocumentRef): Promise<void> {
  const documents = documentsOf(bus, collection)
  const { id, next_at, lease_until } = documents
  const now = new Date()
  const isFree = or(isNull(lease_until), lte(lease_until, now))
  await db
    .update(documents)
    .set({ next_at: unqueued })
    .where(and(eq(id, document), lte(next_at, now), isFree))
}

/** Returns true to exactly one caller if the queue did not accept the document: that caller must create its task. */
export async function takeUnqueued(
  { db, ...bus }: Bus,
  { collection, document }: DocumentRef,
  now: Date,
): Promise<boolean> {
  const documents = documentsOf(bus, collection)
  const { id, next_at } = documents
  const taken = await db
    .update(documents)
    .set({ next_at: now })
    .where(and(eq(id, document), eq(next_at, unqueued)))
    .returning({ id })
  return taken.length > 0
}

/** A document that is overdue by this time has lost its task, unless the queue is behind with its tasks. */
export const lostAfterMs = 60_000

/**
 * Takes documents without a lease whose task is lost, the longest overdue first: those due more than `lostAfterMs` before the oldest
 * task of the queue. `oldestTaskDue` is called only if a document is overdue. Taken documents count as due now, so that another sweep
 * does not take them too.
 */
export async function takeStuck(
  { db, ...bus }: Bus,
  collection: number,
  limit: number,
  oldestTaskDue: () => Promise<Date>,
): Promise<number[]> {
  const documents = documentsOf(bus, collection)
  const { id, next_at, lease_until } = documents
  const dueBefore = (since: Date) =>
    and(lt(next_at, new Date(since.getTime() - lostAfterMs)), or(isNull(lease_until), lte(lease_until, new Date())))
  const [overdue] = await db.select({ id }).from(documents).where(dueBefore(new Date())).limit(1)
  if (!overdue) return []
  const isStuck = dueBefore(await oldestTaskDue())
  const stuck = db.select({ id }).from(documents).where(isStuck).orderBy(asc(next_at)).limit(limit)
  const taken = await db
    .update(documents)
    .set({ next_at: new Date() })
    .where(and(inArray(id, stuck), isStuck))
    .returning({ id })
  return taken.map((row) => row.id)
}
