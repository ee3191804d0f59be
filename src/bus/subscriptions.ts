// Subscriptions: creates, changes, deletes and lists the URLs that get the documents of a collection beside its handler.
import { and, asc, eq, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import { invalid } from '#core/failure'
import { objectionTo } from '#core/outgoing/url'
import type { Env } from './bindings.ts'
import { logChange } from './changes.ts'
import { circuitColumns, circuitStateOf, closeCircuitsOf, subscriberOrigin } from './circuit.ts'
import { findCollection } from './collections.ts'
import type {
  NewSubscription,
  Subscription,
  SubscriptionChanges,
  SubscriptionFilter,
} from './contract/subscriptions.ts'
import { failure, missing } from './errors.ts'
import { insertWhere } from './insert-where.ts'
import { changeLogLock, lockForBatch } from './lock.ts'
import { purgeLater } from './purge.ts'
import type { Bus } from './schema.ts'
import { newSigningSecret, sealSecret } from './signing.ts'

/** Maximum number of subscriptions to a collection: each is a row and a task for each document. */
const maxPerCollection = 50

/** Creates a subscription and returns it with its secret. The subscriber gets the documents that are sent from now on. */
export async function createSubscription(
  bus: Bus,
  env: Env,
  { secret: chosen, ...fields }: NewSubscription,
  now: Date,
) {
  checkUrl(env, fields.url)
  const { type } = await findCollection(bus, { name: fields.collection })
  if (type === 'sync') throw failure('sync_collection')
  const secret = chosen ?? newSigningSecret()
  const { subscriptions, collections, db } = bus
  const row = {
    ...{ id: crypto.randomUUID(), collection: fields.collection, url: fields.url },
    ...{ events: JSON.stringify(fields.events), secrets: JSON.stringify([await sealSecret(env, secret)]) },
    ...{ is_disabled: false, disabled_because: null, created_at: now, updated_at: now },
  }
  const isAllowed = sql`
    EXISTS (SELECT 1 FROM ${collections} WHERE name = ${row.collection} AND is_ready AND type <> 'sync')
    AND (SELECT count(*) FROM ${subscriptions} WHERE collection = ${row.collection}) < ${maxPerCollection}`
  const what = sql`SELECT CAST(${row.id} AS text) AS client, CAST(${row.collection} AS text) AS collection WHERE ${isAllowed}`
  const [, , inserted] = await db.batch([
    lockForBatch(bus, changeLogLock),
    logChange(bus, { kind: 'subscription', is_deleted: false, what }, now),
    bus.run(sql`${insertWhere(subscriptions, row, sql`WHERE ${isAllowed}`)} RETURNING id`),
  ])
  if (rowsOf(inserted).length === 0) {
    await findCollection(bus, { name: fields.collection })
    throw failure('subscriptions_full')
  }
  return { ...(await findSubscription(bus, row.id)), secret }
}

function checkUrl(env: Env, url: string): void {
  const objection = objectionTo(url, env)
  if (objection) throw invalid('url', objection)
}

const named = ({ subscriptions }: Bus, id: string) =>
  sql`SELECT id AS client, collection FROM ${subscriptions} WHERE id = ${id}`

/** Changes a subscription. A new URL, or one that is enabled again, is called at once: its circuit is closed. */
export async function changeSubscription(
  bus: Bus,
  env: Env,
  { id, events, ...fields }: SubscriptionChanges,
  now: Date,
) {
  if (fields.url !== undefined) checkUrl(env, fields.url)
  const { subscriptions, db } = bus
  const set = {
    ...fields,
    ...(events && { events: JSON.stringify(events) }),
    ...(fields.is_disabled !== undefined && { disabled_because: null }),
    updated_at: now,
  }
  const [, , changed] = await db.batch([
    lockForBatch(bus, changeLogLock),
    logChange(bus, { kind: 'subscription', is_deleted: false, what: named(bus, id) }, now),
    db.update(subscriptions).set(set).where(eq(subscriptions.id, id)).returning({ id: subscriptions.id }),
    closeCircuitsOf(bus, subscriberOrigin(id)),
  ])
  if (changed.length === 0) throw missing('subscription', { id })
  return findSubscription(bus, id)
}

/** Disables a subscription whose subscriber answered 410 (Gone), unless it has another URL by now. */
export function disableGone(bus: Bus, { id, url }: Pick<Subscription, 'id' | 'url'>, now: Date) {
  const { subscriptions, db } = bus
  const isThis = and(eq(subscriptions.id, id), eq(subscriptions.url, url), eq(subscriptions.is_disabled, false))
  const what = sql`SELECT id AS client, collection FROM ${subscriptions} WHERE ${isThis}`
  return db.batch([
    lockForBatch(bus, changeLogLock),
    logChange(bus, { kind: 'subscription', is_deleted: false, what }, now),
    db.update(subscriptions).set({ is_disabled: true, disabled_because: 'gone', updated_at: now }).where(isThis),
  ])
}

/** Deletes a subscription. Documents that wait for it are not delivered. */
export async function deleteSubscription(bus: Bus, id: string, now: Date): Promise<void> {
  const { subscriptions, db } = bus
  const [, , deleted] = await db.batch([
    lockForBatch(bus, changeLogLock),
    logChange(bus, { kind: 'subscription', is_deleted: true, what: named(bus, id) }, now),
    db.delete(subscriptions).where(eq(subscriptions.id, id)).returning({ id: subscriptions.id }),
    closeCircuitsOf(bus, subscriberOrigin(id)),
    purgeLater(bus, { subscription: id }, now),
  ])
  if (deleted.length === 0) throw missing('subscription', { id })
}

/** Lists subscriptions with the state of their circuits. */
export async function listSubscriptions(bus: Bus, { collection, limit, offset, count }: SubscriptionFilter) {
  const { subscriptions, db } = bus
  const chosen = collection === undefined ? undefined : eq(subscriptions.collection, collection)
  const rows = await selectSubscriptions(bus)
    .where(chosen)
    .orderBy(asc(subscriptions.collection), asc(subscriptions.created_at), asc(subscriptions.id))
    .limit(limit)
    .offset(offset)
  return {
    subscriptions: rows.map(publicOf),
    ...(count && { nb_results: await db.$count(subscriptions, chosen) }),
  }
}

async function findSubscription(bus: Bus, id: string): Promise<Subscription> {
  const [found] = await selectSubscriptions(bus).where(eq(bus.subscriptions.id, id))
  if (!found) throw missing('subscription', { id })
  return publicOf(found)
}

const selectSubscriptions = (bus: Bus) => {
  const { db, subscriptions, collections, circuits } = bus
  return db
    .select({ subscription: subscriptions, circuit: circuitColumns(circuits) })
    .from(subscriptions)
    .leftJoin(collections, eq(collections.name, subscriptions.collection))
    .leftJoin(
      circuits,
      and(
        eq(circuits.collection, collections.id),
        eq(circuits.origin, sql`${subscriberOrigin('')} || ${subscriptions.id}`),
      ),
    )
    .$dynamic()
}

type Selected = Awaited<ReturnType<typeof selectSubscriptions>>[number]

const publicOf = ({
  subscription: { events, secrets, disabled_because, ...fields },
  circuit,
}: Selected): Subscription => ({
  ...fields,
  events: JSON.parse(events) as string[],
  disabled_because: disabled_because as Subscription['disabled_because'],
  secrets: (JSON.parse(secrets) as string[]).length,
  circuit: circuitStateOf(circuit, new Date()),
})
