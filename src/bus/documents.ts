// Finds, lists and counts the documents of a collection. intake.ts stores them.
import { asc, count, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { fillPage, sizeOf, textIfFits } from '#core/db/page'
import type { DocumentState, Listing } from './contract/documents.ts'
import { missing } from './errors.ts'
import { isTableGone } from './missing-table.ts'
import type { UsableCollection } from './rights.ts'
import { type Bus, type Documents, documentsOf } from './schema.ts'

export type DocumentRow = Documents['$inferSelect']

type Within = Pick<UsableCollection, 'id'>

export async function findByUuid(bus: Bus, { id }: Within, uuid: string): Promise<DocumentRow | undefined> {
  const documents = documentsOf(bus, id)
  const [found] = await bus.db.select().from(documents).where(eq(documents.uuid, uuid)).catch(throwMissing)
  return found
}

export async function findDocument(bus: Bus, { id: collection }: Within, id: number): Promise<DocumentRow> {
  const documents = documentsOf(bus, collection)
  const [found] = await bus.db.select().from(documents).where(eq(documents.id, id)).catch(throwMissing)
  if (!found) throw missing('document', { id })
  return found
}

/** Throws 404 for the database error of a missing table, since the collection was deleted during the query; other errors unchanged. */
function throwMissing(error: unknown): never {
  throw isTableGone(error) ? missing('collection') : error
}

interface Cursor {
  /** Only documents after this id. */
  id: number
}

type Page = Pick<z.output<typeof Listing>, 'id' | 'order'> & { limit: number }

/** A page of documents ordered by id. Ends early if the page would be too large. */
export async function listDocuments(bus: Bus, { id: collection }: Within, { id, order, limit }: Page, now: Date) {
  const documents = documentsOf(bus, collection)
  const { event, uuid, data, state, attempts, webhook_attempts, created_at, lease_until } = documents
  const size = sizeOf(data)
  const progress = { state, attempts, webhook_attempts, created_at, lease_until }
  const columns = { id: documents.id, event, uuid, ...progress, size }
  const isAsc = order === 'asc'
  const page = await bus.db
    .select({ ...columns, data: textIfFits(size, limit, data) })
    .from(documents)
    .where(isAsc ? gt(documents.id, id) : id > 0 ? lt(documents.id, id) : undefined)
    .orderBy(isAsc ? asc(documents.id) : desc(documents.id))
    .limit(limit)
    .catch(throwMissing)
  const { rows, isCut } = await fillPage(page, limit, (ids) =>
    bus.db
      .select({ ...columns, data: sql<string | null>`${data}` })
      .from(documents)
      .where(inArray(documents.id, ids)),
  )
  return {
    documents: rows.map(({ size: _, lease_until, data, state, ...document }) => ({
      ...document,
      data: data!,
      state: stateOf({ lease_until, state }, now),
    })),
    ...(isCut && { has_more: true as const }),
  }
}

/** The state of a document: `processing` while its lease is valid, else the stored state. */
export const stateOf = (
  { lease_until, state }: Pick<DocumentRow, 'lease_until' | 'state'>,
  now: Date,
): DocumentState => (lease_until !== null && lease_until > now ? 'processing' : (state as DocumentState))

export async function countDocuments(bus: Bus, { id: collection }: Within, { id }: Cursor): Promise<number> {
  const documents = documentsOf(bus, collection)
  const [total] = await bus.db
    .select({ n: count() })
    .from(documents)
    .where(id > 0 ? gt(documents.id, id) : undefined)
    .catch(throwMissing)
  return total!.n
}
