// The deliveries of documents to subscribers: one row for each document and subscription.
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SubscriberDelivery } from './contract/subscriptions.ts'
import { lostAfterMs } from './handover.ts'
import { type Bus, documentsOf } from './schema.ts'

/** Key of a delivery. */
export interface DeliveryKey {
  collection: number
  document: number
  subscription: string
}

/** SQL condition: the subscription is enabled, belongs to the collection, and its events include the document's event. */
export function wants({ dialect }: Bus, collectionName: SQL, event: SQL): SQL {
  const patterns =
    dialect === 'd1' ? sql`json_each(s.events) p` : sql`json_array_elements_text(CAST(s.events AS json)) p(value)`
  return sql`s.collection = ${collectionName} AND NOT s.is_disabled AND (s.events = '[]' OR EXISTS (
    SELECT 1 FROM ${patterns} WHERE p.value = ${event} OR p.value = substr(${event}, 1, length(p.value) - 1) || '*'))`
}

/**
 * Statement that creates the deliveries of a new document, and returns the ids of their subscriptions as `subscription`. It follows
 * the statement that inserts the document in the same batch. A repeat of the document has another time, and creates none.
 */
export function createDeliveries(bus: Bus, collection: { id: number; name: string }, uuid: string, now: Date) {
  const { run, subscriptions, deliveries } = bus
  const documents = documentsOf(bus, collection.id)
  const event = sql`(SELECT event FROM ${documents} WHERE uuid = ${uuid})`
  const isNew = sql`d.uuid = ${uuid} AND d.created_at = ${sql.param(now, documents.created_at)}`
  return run(sql`
    INSERT INTO ${deliveries} (collection, document, subscription, state, attempts, next_at)
    SELECT CAST(${collection.id} AS bigint), d.id, s.id, 'waiting', 0, ${sql.param(now, deliveries.next_at)}
    FROM ${subscriptions} s CROSS JOIN ${documents} d
    WHERE ${wants(bus, sql`${collection.name}`, event)} AND ${isNew}
    ON CONFLICT (collection, document, subscription) DO NOTHING RETURNING subscription`)
}

/** The deliveries of a document to the subscribers that still exist. */
export async function listDeliveries(
  { db, deliveries, subscriptions }: Bus,
  collection: number,
  document: number,
  now: Date,
): Promise<SubscriberDelivery[]> {
  const { subscription: id, state, attempts, status_code, next_at, delivered_at, lease_until } = deliveries
  const rows = await db
    .select({ id, state, attempts, status_code, next_at, delivered_at, lease_until })
    .from(deliveries)
    .innerJoin(subscriptions, eq(subscriptions.id, id))
    .where(and(eq(deliveries.collection, collection), eq(deliveries.document, document)))
    .orderBy(asc(subscriptions.created_at), asc(id))
  return rows.map(({ lease_until, ...row }) => ({
    ...row,
    state: lease_until !== null && lease_until > now ? 'processing' : (row.state as SubscriberDelivery['state']),
  }))
}

/** Statement that deletes the deliveries of some documents of a collection. */
export const deleteDeliveries = ({ db, deliveries }: Bus, collection: number, chosen: SQL | undefined) =>
  db.delete(deliveries).where(and(eq(deliveries.collection, collection), chosen))

/** Statement that ends the deliveries of some documents, whose content was erased. */
export const failDeliveries = ({ db, deliveries }: Bus, collection: number, documents: number[]) =>
  db
    .update(deliveries)
    .set({ state: 'failed', next_at: null, lease_until: null, holder: null })
    .where(
      and(
        eq(deliveries.collection, collection),
        inArray(deliveries.document, documents),
        isNotNull(deliveries.next_at),
      ),
    )

/** SQL condition: a delivery of the document, whose id is given as SQL, is not done. */
export const hasOpenDelivery = ({ deliveries }: Bus, collection: number, document: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${deliveries} o WHERE o.collection = ${collection} AND o.document = ${document} AND o.next_at IS NOT NULL)`

/** SQL condition: a subscriber is being called with the document. */
export const isBeingDelivered = ({ deliveries }: Bus, collection: number, document: SQL, now: Date): SQL =>
  sql`EXISTS (SELECT 1 FROM ${deliveries} o WHERE o.collection = ${collection} AND o.document = ${document}
    AND o.lease_until > ${sql.param(now, deliveries.lease_until)})`

/** Subscriptions whose lost tasks one sweep finds. */
const subscriptionsPerSweep = 20

/** Takes deliveries whose task is lost, as `takeStuck` does for documents. */
export async function takeStuckDeliveries(
  bus: Bus,
  limit: number,
  oldestTaskDue: () => Promise<Date>,
): Promise<DeliveryKey[]> {
  const { db, deliveries, subscriptions } = bus
  const { collection, document, subscription, next_at, lease_until } = deliveries
  const key = { collection, document, subscription }
  const dueBefore = (since: Date) =>
    and(lt(next_at, new Date(since.getTime() - lostAfterMs)), or(isNull(lease_until), lte(lease_until, new Date())))!
  const isOverdue = sql`EXISTS (SELECT 1 FROM ${deliveries} WHERE subscription = ${subscriptions.id} AND ${dueBefore(new Date())})`
  const overdue = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(isOverdue)
    .limit(subscriptionsPerSweep)
  if (overdue.length === 0) return []
  const isStuck = dueBefore(await oldestTaskDue())
  const taken: DeliveryKey[] = []
  for (const { id } of overdue) {
    if (taken.length >= limit) break
    const stuck = db
      .select(key)
      .from(deliveries)
      .where(and(eq(subscription, id), isStuck))
      .orderBy(asc(next_at))
      .limit(limit - taken.length)
    const isChosen = sql`(${collection}, ${document}, ${subscription}) IN (${stuck})`
    taken.push(
      ...(await db.update(deliveries).set({ next_at: new Date() }).where(and(isChosen, isStuck)).returning(key)),
    )
  }
  return taken
}
