// Finds, lists and counts the documents of a collection. intake.ts stores them.
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { isTableGone } from '#core/db/missing-table'
import { fillPage, sizeOf, textIfFits } from '#core/db/page'
import type { DocumentState, Listing } from './contract/documents.ts'
import { missing } from './errors.ts'
import type { UsableCollection } from './rights.ts'
import { type Bus, type Documents, deletedUuid, documentsOf } from './schema.ts'

export type DocumentRow = Documents['$inferSelect']

type Within = Pick<UsableCollection, 'id'>

export async function findByUuid(bus: Bus, { id }: Within, uuid: string): Promise<DocumentRow | undefined> {
  const documents = documentsOf(bus, id)
  const [found] = await bus.db.select().from(documents).where(eq(documents.uuid, uuid)).catch(throwMissing)
  return found
}

export async function findDocument(bus: Bus, { id: collection }: Within, id: number): Promise<DocumentRow> {
  const documents = documentsOf(bus, collection)
  const [found] = await bus.db
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), exists(documents)))
    .catch(throwMissing)
  if (!found) throw missing('document', { id })
  return found
}

/** SQL condition: the row is a document, and not the hidden row that the deletion of the newest document left. */
const exists = ({ uuid }: Documents) => ne(uuid, deletedUuid)

/** SQL condition: the row is the hidden row that the deletion of the newest document left. */
export const deletedRow = ({ uuid }: Documents) => eq(uuid, deletedUuid)

/** Throws 404 for the database error of a missing table, since the collection was deleted during the query; other errors unchanged. */
function throwMissing(error: unknown): never {
  throw isTableGone(error) ? missing('collection') : error
}

interface Cursor {
  /** Only documents after this id. */
  id: number
}

type Page = Pick<z.output<typeof Listing>, 'id' | 'order' | 'state'> & { limit: number }

/** A page of documents ordered by id. Ends early if the page would be too large. */
export async function listDocuments(
  bus: Bus,
  { id: collection }: Within,
  { id, order, limit, state: inState }: Page,
  now: Date,
) {
  const documents = documentsOf(bus, collection)
  const { event, uuid, data, state, attempts, webhook_attempts, created_at, lease_until } = documents
  const size = sizeOf(data)
  const progress = { state, attempts, webhook_attempts, created_at, lease_until }
  const columns = { id: documents.id, event, uuid, ...progress, size }
  const isAsc = order === 'asc'
  const page = await bus.db
    .select({ ...columns, data: textIfFits(size, limit, data) })
    .from(documents)
    .where(
      and(
        isAsc ? gt(documents.id, id) : id > 0 ? lt(documents.id, id) : undefined,
        exists(documents),
        inState && isIn(documents, inState, now),
      ),
    )
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

/** SQL condition of the index of documents that were rejected or have failed. Without parameters, so that SQLite uses the index. */
export const isUndelivered = sql`state IN ('rejected', 'failed')`

/** SQL condition: the document is in this state. */
function isIn(documents: Documents, state: NonNullable<DocumentState>, now: Date): SQL {
  const { lease_until, next_at } = documents
  if (state === 'processing') return gt(lease_until, now)
  const isFree = or(isNull(lease_until), lte(lease_until, now))
  // Conditions of the partial indexes, by which the few documents that are not delivered are found.
  const indexed = { waiting: isNotNull(next_at), delivered: undefined, rejected: isUndelivered, failed: isUndelivered }
  return and(eq(documents.state, state), isFree, indexed[state])!
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
    .where(and(id > 0 ? gt(documents.id, id) : undefined, exists(documents)))
    .catch(throwMissing)
  return total!.n
}
