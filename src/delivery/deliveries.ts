import { and, asc, count, desc, eq, lt, lte, not, type SQL } from 'drizzle-orm'
import type { DeliveryFilter, DeliveryStatus, HeldReason, ListedDelivery } from './contract.ts'
import type { Definition } from './definition.ts'
import { missing } from './errors.ts'
import type { DeliveryStore } from './schema.ts'

/** Puts a delivery down, before anything of it has begun. */
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

/** A delivery by its id; 404 for none. */
export async function findDelivery({ db, deliveries }: DeliveryStore, id: number): Promise<DeliveryRow> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.id, id), eq(deliveries.is_removed, false)))
  if (row) return row
  throw missing('delivery', { id })
}

/** What was put down of a delivery as its definition. */
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

/** Not hidden. It asks for no value: SQLite would take an index of those that are hidden, and read all that are not. */
export const isShown = ({ is_removed }: DeliveryStore['deliveries']) => not(is_removed)

/** Deliveries, the newest first. */
export async function listDeliveries(
  store: DeliveryStore,
  { limit, offset, count: isCounted, ...asked }: DeliveryFilter,
) {
  const { db, deliveries } = store
  const chosen = and(...conditionsOf(store, asked))
  const { id, name, has_email, has_sms, has_feed, status, is_paused, progress, created_at, updated_at } = deliveries
  const { held_reason, next_attempt_at } = deliveries
  const standing = { status, is_paused, held_reason, next_attempt_at, progress }
  const rows = await db
    .select({ id, name, has_email, has_sms, has_feed, ...standing, created_at, updated_at })
    .from(deliveries)
    .where(chosen)
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
  const [total] = await db.select({ n: count() }).from(deliveries).where(chosen)
  return { deliveries: listed, nb_results: total!.n }
}

function conditionsOf(
  { deliveries, kit }: DeliveryStore,
  asked: Omit<DeliveryFilter, 'limit' | 'offset' | 'count'>,
): SQL[] {
  const { name, has_email, has_sms, has_feed, status } = asked
  return [
    isShown(deliveries),
    ...(name ? [kit.contains(deliveries.name, name)] : []),
    ...(has_email === undefined ? [] : [eq(deliveries.has_email, has_email)]),
    ...(has_sms === undefined ? [] : [eq(deliveries.has_sms, has_sms)]),
    ...(has_feed === undefined ? [] : [eq(deliveries.has_feed, has_feed)]),
    ...(status ? [eq(deliveries.status, status)] : []),
  ]
}

/** What a ledger tells of a delivery. */
interface Told {
  status: DeliveryStatus
  is_paused: boolean
  held_reason: HeldReason | null
  next_attempt_at: Date | null
  progress: number
  /** Later ones win. */
  revision: number
  updated_at: Date
  /** Where it was changed. */
  definition?: Definition
}

/** Writes down what a ledger tells, unless something later is there. */
export async function keepTold(
  { db, deliveries }: DeliveryStore,
  ledger: string,
  { definition, ...told }: Told,
  heard_at: Date,
): Promise<void> {
  await db
    .update(deliveries)
    .set({ ...definition, ...told, heard_at })
    .where(and(eq(deliveries.ledger, ledger), lte(deliveries.revision, told.revision)))
}

/** Hides a delivery that is being deleted. */
export async function hideDelivery({ db, deliveries }: DeliveryStore, id: number, now: Date): Promise<void> {
  await db.update(deliveries).set({ is_removed: true, status: 'canceled', heard_at: now }).where(eq(deliveries.id, id))
}

export async function deleteDelivery({ db, deliveries }: DeliveryStore, id: number): Promise<void> {
  await db.delete(deliveries).where(eq(deliveries.id, id))
}

/** Deliveries that go on, and whose ledgers were not heard of for a while, those first that were not for longest. */
export const silentDeliveries = ({ db, deliveries }: DeliveryStore, before: Date, limit: number) =>
  db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.status, 'started'), lt(deliveries.heard_at, before), isShown(deliveries)))
    .orderBy(asc(deliveries.heard_at))
    .limit(limit)

/** Deliveries that were hidden, and not changed since. */
export const hiddenDeliveries = ({ db, deliveries }: DeliveryStore, before: Date, limit: number) =>
  db
    .select({ id: deliveries.id, ledger: deliveries.ledger })
    .from(deliveries)
    .where(and(eq(deliveries.is_removed, true), lt(deliveries.heard_at, before)))
    .limit(limit)
