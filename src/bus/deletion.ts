// Deletes one document. The newest one leaves a hidden row, since D1 would otherwise give its id again.
import { and, eq, isNull, lte, max, ne, not, or, sql } from 'drizzle-orm'
import { open } from '#core/db/open'
import { deleteAttempts } from './attempts.ts'
import type { Env } from './bindings.ts'
import { deleteDeliveries, isBeingDelivered } from './deliveries.ts'
import { findDocument } from './documents.ts'
import { failure } from './errors.ts'
import { lockForBatch } from './lock.ts'
import { findCollectionFor } from './rights.ts'
import { type Bus, deletedUuid, documentsOf, schema } from './schema.ts'
import { released } from './sync-calls.ts'

/** Deletes a document for a user with write access. 409 while it is being delivered. */
export async function deleteDocument(
  env: Env,
  hash: string,
  { collection: name, id }: { collection: string; id: number },
): Promise<void> {
  const bus = open(env, schema)
  const collection = await findCollectionFor(bus, hash, name, 'write')
  await findDocument(bus, collection, id)
  if (await removeRow(bus, collection.id, id, new Date())) return
  await findDocument(bus, collection, id)
  throw failure('document_processing')
}

/** Returns whether the document was deleted. Readers with its id as cursor miss no later document: the newest id is kept. */
async function removeRow(bus: Bus, collection: number, document: number, now: Date): Promise<boolean> {
  const { db } = bus
  const documents = documentsOf(bus, collection)
  const { id, uuid, lease_until } = documents
  const isChosen = and(
    eq(id, document),
    ne(uuid, deletedUuid),
    or(isNull(lease_until), lte(lease_until, now)),
    not(isBeingDelivered(bus, collection, sql`${id}`, now)),
  )!
  const isNewest = sql`${id} = (SELECT ${max(id)} FROM ${documents})`
  const exists = sql`EXISTS (SELECT 1 FROM ${documents} WHERE ${isChosen})`
  const [, , , , deleted, emptied] = await db.batch([
    lockForBatch(bus, collection),
    deleteAttempts(bus, collection, and(eq(bus.attempts.document, document), exists)),
    // After the attempts, and before the document: each condition reads the rows that the next statement deletes.
    deleteDeliveries(bus, collection, and(eq(bus.deliveries.document, document), exists)),
    // The row that the last deletion of a newest document has left, unless it is still the newest.
    db.delete(documents).where(sql`${eq(uuid, deletedUuid)} AND NOT ${isNewest}`),
    db.delete(documents).where(sql`${isChosen} AND NOT ${isNewest}`).returning({ id }),
    db
      .update(documents)
      .set({ ...emptyColumns, uuid: deletedUuid })
      .where(isChosen)
      .returning({ id }),
  ])
  return deleted.length + emptied.length > 0
}

const emptyColumns = {
  ...{ event: '', data: '{}', webhook: null, state: null, attempts: 0, webhook_attempts: 0, status_code: null },
  ...{ body: null, webhook_status: null, answered_at: null, delivered_at: null, next_at: null, ...released },
}
