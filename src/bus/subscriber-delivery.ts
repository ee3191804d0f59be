// Delivers one document to one subscriber under a lease, and retries later after a failure.
import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { withJitter } from '#core/circuit'
import { open } from '#core/db/open'
import { recordAttempt } from './attempts.ts'
import type { Env } from './bindings.ts'
import { callSubscriber, type HandlerAttempt } from './calls.ts'
import { type Circuit, deferralMs, findCircuit, mayCall, subscriberOrigin, updateCircuit } from './circuit.ts'
import type { DeliveryKey } from './deliveries.ts'
import { type DocumentRow, deletedRow } from './documents.ts'
import { instanceName } from './instances.ts'
import { isSuccess } from './outcome.ts'
import { retryDelayMs, retryPeriodMs } from './retry-schedule.ts'
import { type Bus, documentsOf, schema } from './schema.ts'
import { disableGone } from './subscriptions.ts'
import { released } from './sync-calls.ts'
import { enqueueDelivery } from './tasks.ts'
import { leaseFromNow, skewMs } from './timeouts.ts'

interface Claimed {
  attempts: number
  subscription: { id: string; url: string; secrets: string; is_disabled: boolean }
  collection: { id: number; name: string; concurrency: number | null }
  document: DocumentRow
}

/** The status with which a subscriber ends its subscription. */
const gone = 410

/** Delivers a due document to a subscriber. Does nothing if the document, the collection or the subscription was deleted. */
export async function deliverToSubscriber(env: Env, which: DeliveryKey): Promise<void> {
  const bus = open(env, schema)
  const holder = crypto.randomUUID()
  const claimed = await claim(bus, which, holder)
  const found = claimed && (await findParts(bus, which, claimed))
  if (claimed && !found) return end(bus, which, holder, 'failed')
  if (!found) return waitForLease(env, bus, which)
  if (found.subscription.is_disabled) return end(bus, which, holder, 'failed')
  await attempt(env, bus, which, holder, found)
}

const isDelivery = ({ deliveries }: Bus, { collection, document, subscription }: DeliveryKey) =>
  and(
    eq(deliveries.collection, collection),
    eq(deliveries.document, document),
    eq(deliveries.subscription, subscription),
  )

/** Takes the lease of a due delivery and counts an attempt. Undefined if another task holds it, or nothing is due. */
async function claim(bus: Bus, which: DeliveryKey, holder: string): Promise<{ attempts: number } | undefined> {
  const { db, deliveries } = bus
  const { attempts, next_at, lease_until } = deliveries
  const now = new Date()
  const [claimed] = await db
    .update(deliveries)
    .set({ holder, lease_until: leaseFromNow(), attempts: sql`${attempts} + 1` })
    .where(
      and(
        isDelivery(bus, which),
        lte(next_at, new Date(now.getTime() + skewMs)),
        or(isNull(lease_until), lte(lease_until, now)),
      ),
    )
    .returning({ attempts })
  return claimed
}

/** Creates a task for the time at which the lease of another task ends. Does nothing if the delivery is done. */
async function waitForLease(env: Env, bus: Bus, which: DeliveryKey): Promise<void> {
  const { lease_until, next_at } = bus.deliveries
  const [row] = await bus.db.select({ lease_until, next_at }).from(bus.deliveries).where(isDelivery(bus, which))
  if (!row?.lease_until || !row.next_at) return
  await enqueueDelivery(env, which, null, Math.max(row.lease_until.getTime() - Date.now(), 0))
}

async function findParts(
  bus: Bus,
  which: DeliveryKey,
  { attempts }: { attempts: number },
): Promise<Claimed | undefined> {
  const { db, collections, subscriptions } = bus
  const { id, name, concurrency } = collections
  const { url, secrets, is_disabled } = subscriptions
  const [found] = await db
    .select({
      collection: { id, name, concurrency },
      subscription: { id: subscriptions.id, url, secrets, is_disabled },
    })
    .from(collections)
    .innerJoin(subscriptions, eq(subscriptions.collection, name))
    .where(and(eq(id, which.collection), eq(subscriptions.id, which.subscription)))
  if (!found) return undefined
  const documents = documentsOf(bus, which.collection)
  const [document] = await db
    .select()
    .from(documents)
    .where(and(eq(documents.id, which.document), sql`NOT (${deletedRow(documents)})`))
  return document && { ...found, document, attempts }
}

/** Calls the subscriber and stores the outcome. */
async function attempt(env: Env, bus: Bus, which: DeliveryKey, holder: string, found: Claimed): Promise<void> {
  const { collection, subscription, document, attempts } = found
  const destination = { collection: collection.id, origin: subscriberOrigin(subscription.id) }
  const circuit = await findCircuit(bus, destination)
  const later = { env, bus, which, holder, concurrency: collection.concurrency }
  if (!(await mayCall(bus, destination, circuit))) return defer(later, circuit!, document.created_at, attempts)
  const source = { instance: await instanceName(bus), collection }
  const outcome = await callSubscriber(env, source, subscription, document)
  await updateCircuit(bus, destination, circuit, outcome)
  const { status_code } = outcome
  if (status_code === gone) await disableGone(bus, subscription, new Date())
  if (status_code === gone) return end(bus, which, holder, 'failed', outcome, attempts)
  if (isSuccess(status_code)) return end(bus, which, holder, 'delivered', outcome, attempts)
  const delayMs = retryDelayMs(attempts)
  if (delayMs === undefined) return end(bus, which, holder, 'failed', outcome, attempts)
  await retryLater(later, Math.max(withJitter(delayMs), outcome.retryAfterMs), {}, outcome, attempts)
}

interface Later {
  env: Env
  bus: Bus
  which: DeliveryKey
  holder: string
  concurrency: number | null
}

/** Postpones the delivery without a call, since the subscriber is down. Gives up when it has been down for too long. */
async function defer(later: Later, circuit: Circuit, createdAt: Date, attempts: number): Promise<void> {
  const now = new Date()
  const waitingSince = Math.max(circuit.opened_at.getTime(), createdAt.getTime())
  if (now.getTime() - waitingSince > retryPeriodMs) return end(later.bus, later.which, later.holder, 'failed')
  await retryLater(later, deferralMs(circuit, now), { attempts: attempts - 1 })
}

async function retryLater(
  { env, bus, which, holder, concurrency }: Later,
  delayMs: number,
  change: { attempts?: number },
  outcome?: HandlerAttempt,
  attempts?: number,
): Promise<void> {
  const next_at = new Date(Date.now() + delayMs)
  if (await settle(bus, which, holder, { ...change, next_at }, outcome, attempts))
    await enqueueDelivery(env, which, concurrency, delayMs)
}

async function end(
  bus: Bus,
  which: DeliveryKey,
  holder: string,
  state: 'delivered' | 'failed',
  outcome?: HandlerAttempt,
  attempts?: number,
): Promise<void> {
  const delivered_at = state === 'delivered' ? new Date() : null
  await settle(bus, which, holder, { state, next_at: null, delivered_at }, outcome, attempts)
}

/** Changes a delivery and records the attempt, if this task still holds the lease. Returns whether it does. */
async function settle(
  bus: Bus,
  which: DeliveryKey,
  holder: string,
  change: Partial<Bus['deliveries']['$inferInsert']>,
  outcome?: HandlerAttempt,
  attempts = 0,
): Promise<boolean> {
  const { db, deliveries } = bus
  const isHeld = and(isDelivery(bus, which), eq(deliveries.holder, holder))!
  const status = outcome && { status_code: outcome.status_code }
  const update = db
    .update(deliveries)
    .set({ ...change, ...status, ...released })
    .where(isHeld)
    .returning({ document: deliveries.document })
  if (!outcome) return (await update).length > 0
  const { collection, document, subscription: target } = which
  const isCurrent = sql`EXISTS (SELECT 1 FROM ${deliveries} WHERE ${isHeld})`
  const record = recordAttempt(bus, { collection, document, target, attempt: attempts }, outcome.call, isCurrent)
  const [, , settled] = await db.batch([...record, update])
  return settled.length > 0
}
