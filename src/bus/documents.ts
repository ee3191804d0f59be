import { asc, count, eq, gt, inArray, sql } from 'drizzle-orm'
import { fillPage, sizeOf, within } from '#core/db/page'
import { missing } from '#core/failure'
import { isTableGone } from './missing-table.ts'
import type { Usable } from './rights.ts'
import { type Bus, type Documents, documentsOf } from './schema.ts'

export type DocumentRow = Documents['$inferSelect']

type Within = Pick<Usable, 'id'>

export async function findByUuid(bus: Bus, { id }: Within, uuid: string): Promise<DocumentRow | undefined> {
  const documents = documentsOf(bus, id)
  const [found] = await bus.db.select().from(documents).where(eq(documents.uuid, uuid)).catch(goneToo)
  return found
}

export async function findDocument(bus: Bus, { id: collection }: Within, id: number): Promise<DocumentRow> {
  const documents = documentsOf(bus, collection)
  const [found] = await bus.db.select().from(documents).where(eq(documents.id, id)).catch(goneToo)
  if (!found) throw missing('document')
  return found
}

/** A collection that is deleted while it is read. */
function goneToo(error: unknown): never {
  throw isTableGone(error) ? missing('collection') : error
}

interface Cursor {
  /** Only documents after this id. */
  id: number
}

/** A page of documents in the order of their ids, cut where it would be too large. */
export async function listDocuments(bus: Bus, { id: collection }: Within, { id, limit }: Cursor & { limit: number }) {
  const documents = documentsOf(bus, collection)
  const { event, uuid, data } = documents
  const size = sizeOf(data)
  const columns = { id: documents.id, event, uuid, size }
  const page = await bus.db
    .select({ ...columns, data: within(size, limit, data) })
    .from(documents)
    .where(gt(documents.id, id))
    .orderBy(asc(documents.id))
    .limit(limit)
    .catch(goneToo)
  const { rows, isCut } = await fillPage(page, limit, (ids) =>
    bus.db
      .select({ ...columns, data: sql<string | null>`${data}` })
      .from(documents)
      .where(inArray(documents.id, ids)),
  )
  return {
    documents: rows.map(({ size: _, data, ...document }) => ({ ...document, data: data! })),
    ...(isCut && { has_more: true as const }),
  }
}

export async function countDocuments(bus: Bus, { id: collection }: Within, { id }: Cursor): Promise<number> {
  const documents = documentsOf(bus, collection)
  const [total] = await bus.db
    .select({ n: count() })
    .from(documents)
    .where(id > 0 ? gt(documents.id, id) : undefined)
    .catch(goneToo)
  return total!.n
}
