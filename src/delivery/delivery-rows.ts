// SQL on the table of deliveries. Each row has a copy of the state in its delivery's ledger, so that a list need not call every
// ledger.
import { and, asc, count, desc, eq, inArray, lt, lte, not, type SQL } from 'drizzle-orm'
import type { DeliveryFilter, DeliveryStatus, HeldReason, ListedDelivery } from './contract.ts'
import type { Definition } from './definition.ts'
import { missing } from './errors.ts'
import type { DeliveryStore } from './schema.ts'

/** Inserts the row of a new delivery, with revision 0: its ledger has not begun. */
export async function insertDelivery(
  { db, deliveries }: DeliveryStore,
  definition: Definition,
  ledger: string,
  now: Date,
) {
  const fresh = { status: 'started', is_paused: false, progress: 0, revision: 0, is_removed: false }
  const times = { heard_at: now, created_at: now, updated_at: now }
  const [row] = await db
    .insert(deliveries)
    .values({ ...definition, ledger, ...fresh, ...times })
    .returning()
  return row!
}

export type DeliveryRow = Awaited<ReturnType<typeof insertDelivery>>

/** Finds a delivery that is not being deleted. Throws 404 if no delivery has this id. */
export async function findDelivery({ db, deliveries }: DeliveryStore, id: number): Promise<DeliveryRow> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.id, id), eq(deliveries.is_removed, false)))
  if (row) return row
  throw missing('delivery', { id })
}

/** The definition in a row: all columns except those of the state. */
export const definitionOf = (row: DeliveryRow): Definition => {
  const {
    id: _,
    ledger,
    status,
    is_paused,
    held_reason,
    next_attempt_at,
    progress,
    revision,
    heard_at,
    is_removed,
    created_at,
    updated_at,
    ...rest
  } = row
  return rest
}

/**
 * Condition for rows that are not being deleted. Written as `NOT is_removed`: for `is_removed = false` SQLite would use an
 * index that nearly all rows match, and read them all.
 */
export const isShown = ({ is_removed }: DeliveryStore['deliveries']) => not(is_removed)

/** Lists the deliveries that match a filter, newest first. */
export async function listDeliveries(
  store: DeliveryStore,
  { limit, offset, count: isCounted, ...filter }: DeliveryFilter,
) {
  const { db, deliveries } = store
  const condition = and(...conditionsOf(store, filter))
  const { id, name, has_email, has_sms, has_feed, status, is_paused, progress, created_at, updated_at } = deliveries
  const { held_reason, next_attempt_at } = deliveries
  const state = { status, is_paused, held_reason, next_attempt_at, progress }
  const rows = await db
    .select({ id, name, has_email, has_sms, has_feed, ...state, created_at, updated_at })
    .from(deliveries)
    .where(condition)
    .orderBy(desc(id))
    .limit(limit)
    .offset(offset)
  const listed = rows.map(
    ({ is_paused, held_reason, ...row }): ListedDelivery => ({
      ...{ ...row, status: row.status as DeliveryStatus, paused: is_paused },
      ...{ held: held_reason !== null, held_reason: held_reason as HeldReason | null },
    }),
  )
  if (!isCounted) return { deliveries: listed }
  const [total] = await db.select({ n: count() }).from(deliveries).where(condition)
  return { deliveries: listed, nb_results: total!.n }
}

function conditionsOf(
  { deliveries, kit }: DeliveryStore,
  filter: Omit<DeliveryFilter, 'limit' | 'offset' | 'count'>,
): SQL[] {
  const { name, has_email, has_sms, has_feed, status } = filter
  return [
    isShown(deliveries),
    ...(name ? [kit.contains(deliveries.name, name)] : []),
    ...(has_email === undefined ? [] : [eq(deliveries.has_email, has_email)]),
    ...(has_sms === undefined ? [] : [eq(deliveries.has_sms, has_sms)]),
    ...(has_feed === undefined ? [] : [eq(deliveries.has_feed, has_feed)]),
    ...(status ? [eq(deliveries.status, status)] : []),
  ]
}

/** The state of a delivery, copied from its ledger. */
interface StatusUpdate {
  status: DeliveryStatus
  is_paused: boolean
  held_reason: HeldReason | null
  next_attempt_at: Date | null
  progress: number
  /** Number of the copy. A row ignores a copy with a lower number, which arrived late. */
  revision: number
  updated_at: Date
  /** The new definition, if it was changed since the last copy. */
  definition?: Definition
}

/** Copies the state of a ledger to the delivery's row, unless the row has a later revision. */
export async function recordStatus(
  { db, deliveries }: DeliveryStore,
  ledger: string,
  { definition, ...update }: StatusUpdate,
  heard_at: Date,
): Promise<void> {
  await db
    .update(deliveries)
    .set({ ...definition, ...update, heard_at })
    .where(and(eq(deliveries.ledger, ledger), lte(deliveries.revision, update.revision)))
}

/** Marks a delivery as being deleted, which hides it from all calls. */
export async function hideDelivery({ db, deliveries }: DeliveryStore, id: number, now: Date): Promise<void> {
  await db.update(deliveries).set({ is_removed: true, status: 'canceled', heard_at: now }).where(eq(deliveries.id, id))
}

export async function deleteDeliveryRow({ db, deliveries }: DeliveryStore, id: number): Promise<void> {
  await db.delete(deliveries).where(eq(deliveries.id, id))
}

/** Started deliveries whose ledgers have sent no copy of their state since `before`, oldest copy first. */
export const staleDeliveries = ({ db, deliveries }: DeliveryStore, before: Date, limit: number) =>
  db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.status, 'started'), lt(deliveries.heard_at, before), isShown(deliveries)))
    .orderBy(asc(deliveries.heard_at))
    .limit(limit)

/** Deliveries that are marked as removed since before `before`: their deletion was interrupted. */
export const deletedDeliveries = ({ db, deliveries }: DeliveryStore, before: Date, limit: number) =>
  db
    .select({ id: deliveries.id, ledger: deliveries.ledger })
    .from(deliveries)
    .where(and(eq(deliveries.is_removed, true), lt(deliveries.heard_at, before)))
    .limit(limit)

/** Finished and canceled deliveries without an update since `before`, oldest update first. */
export const endedDeliveries = ({ db, deliveries }: DeliveryStore, before: Date, limit: number) =>
  db
    .select({ id: deliveries.id, ledger: deliveries.ledger })
    .from(deliveries)
    .where(
      and(inArray(deliveries.status, ['finished', 'canceled']), lt(deliveries.heard_at, before), isShown(deliveries)),
    )
    .orderBy(asc(deliveries.heard_at))
    .limit(limit)
