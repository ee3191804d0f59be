// Delivers one async document under a lease: calls its handler, then its webhook, and retries later after a failure.
import { and, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { withJitter } from '#core/circuit'
import { type CallRecord, holdsLease, recordAttempt } from './attempts.ts'
import type { HandlerAttempt } from './calls.ts'
import { type Circuit, deferralMs, findCircuit, mayCall, updateCircuit } from './circuit.ts'
import type { HandlerOutcome } from './contract/documents.ts'
import type { DocumentRow } from './documents.ts'
import { finalState, isFinal, isRetriedRejection, isSuccess, outcomeOf, unanswered } from './outcome.ts'
import { rejectedRetryMs, retryDelayMs, retryPeriodMs } from './retry-schedule.ts'
import { type Bus, type Documents, documentsOf } from './schema.ts'
import { released } from './sync-calls.ts'
import { isLongEnough, leaseFromNow, skewMs } from './timeouts.ts'

interface DocumentKey {
  collection: number
  document: number
}

/** The calls of a delivery to the outside. */
interface DeliveryActions {
  callHandler(document: DocumentRow): Promise<HandlerAttempt>
  callWebhook(document: DocumentRow, outcome: HandlerOutcome): Promise<HandlerAttempt>
  /** Creates a task of the queue that delivers the document again after a delay in milliseconds. */
  enqueue(delayMs: number): Promise<void>
}

/** A delivery that holds the lease of its document. */
interface Delivery {
  bus: Bus
  which: DocumentKey
  holder: string
  actions: DeliveryActions
  /** Whether answers 4xx are retried before they are final. */
  retriesRejected: boolean
}

/**
 * Delivers a document: calls the handler unless it has given a final answer, then the webhook. Each step is stored when it is
 * done, so that a repeated task continues where a crash interrupted the previous one, after the lease of the previous one.
 * `circuit` is the circuit breaker of the handler; with `retriesRejected`, answers 4xx are retried before they are final.
 */
export async function deliverDocument(
  bus: Bus,
  which: DocumentKey,
  { circuit, retriesRejected }: { circuit: Circuit | undefined; retriesRejected: boolean },
  actions: DeliveryActions,
): Promise<void> {
  const delivery = { bus, which, holder: crypto.randomUUID(), actions, retriesRejected }
  const claimed = await claim(delivery)
  if (!claimed) return waitForLease(delivery)
  // Each claim counts an attempt of the handler or, from its final answer on, of the webhook.
  const answered = claimed.webhook_attempts > 0 ? claimed : await attemptHandler(delivery, claimed, circuit)
  if (answered) await notifyWebhook(delivery, answered)
}

const asNumber = (condition: SQL) => sql<number>`CASE WHEN ${condition} THEN 1 ELSE 0 END`

/** Takes the lease of a due document. Undefined if another delivery holds it, or the lease would expire before a call could end. */
async function claim({ bus, which, holder, retriesRejected }: Delivery) {
  const documents = documentsOf(bus, which.collection)
  const { attempts, webhook_attempts, lease_until } = documents
  const now = new Date()
  const isUnanswered = asNumber(unanswered(documents, retriesRejected))
  const [claimed] = await bus.db
    .update(documents)
    .set({
      holder,
      lease_until: leaseFromNow(),
      attempts: sql`${attempts} + ${isUnanswered}`,
      webhook_attempts: sql`${webhook_attempts} + 1 - ${isUnanswered}`,
    })
    .where(
      and(
        eq(documents.id, which.document),
        lte(documents.next_at, new Date(now.getTime() + skewMs)),
        or(isNull(lease_until), lte(lease_until, now)),
      ),
    )
    .returning()
  return claimed && isLongEnough(claimed.lease_until!) ? claimed : undefined
}

/** Creates a task for the time at which the lease of another delivery ends. Does nothing if the document has no lease or is done. */
async function waitForLease({ bus, which, actions }: Delivery) {
  const documents = documentsOf(bus, which.collection)
  const [row] = await bus.db
    .select({ lease: documents.lease_until, next_at: documents.next_at })
    .from(documents)
    .where(eq(documents.id, which.document))
  if (row?.lease && row.next_at) await actions.enqueue(Math.max(row.lease.getTime() - Date.now(), 0))
}

type Columns = { [Column in keyof Documents['$inferInsert']]?: Documents['$inferInsert'][Column] | SQL }

/** Changes a document if this delivery still holds its lease; otherwise returns undefined, since another delivery has taken over. */
async function settle(
  { bus, which, holder }: Delivery,
  change: Columns,
  made?: MadeAttempt,
): Promise<DocumentRow | undefined> {
  const documents = documentsOf(bus, which.collection)
  const update = bus.db
    .update(documents)
    .set(change as Partial<Documents['$inferInsert']>)
    .where(and(eq(documents.id, which.document), eq(documents.holder, holder)))
    .returning()
  if (!made) return (await update)[0]
  const { call, ...attempt } = made
  const record = recordAttempt(bus, { ...which, ...attempt }, call, holdsLease(bus, which, holder))
  const [, , [settled]] = await bus.db.batch([...record, update])
  return settled
}

/** A call that was made, and its number. */
interface MadeAttempt {
  target: 'handler' | 'webhook'
  attempt: number
  call: CallRecord
}

/** Calls the handler. Returns the document if the answer is final, and the webhook is to be called. */
async function attemptHandler(delivery: Delivery, document: DocumentRow, circuit: Circuit | undefined) {
  const { bus, which, actions } = delivery
  const destination = { collection: which.collection, origin: '' }
  const { created_at, attempts } = document
  if (!(await mayCall(bus, destination, circuit)))
    return defer(delivery, circuit!, created_at, { attempts: attempts - 1 })
  const attempt = await actions.callHandler(document)
  await updateCircuit(bus, destination, circuit, attempt)
  const { status_code, body, call } = attempt
  const answer = { status_code, body, answered_at: new Date() }
  const made = { target: 'handler', attempt: attempts, call } as const
  if (isRetriedRejection(status_code, attempts, delivery.retriesRejected))
    return enqueueLater(delivery, withJitter(rejectedRetryMs), answer, made)
  if (isFinal(status_code))
    return settle(delivery, { ...answer, webhook_attempts: 1, lease_until: leaseFromNow() }, made)
  return postpone(delivery, made, attempt, answer)
}

async function notifyWebhook(delivery: Delivery, document: DocumentRow) {
  if (!isLongEnough(document.lease_until!)) return waitForLease(delivery)
  const { bus, which, actions } = delivery
  const destination = { collection: which.collection, origin: new URL(document.webhook!).origin }
  const circuit = await findCircuit(bus, destination)
  const { answered_at, webhook_attempts } = document
  if (!(await mayCall(bus, destination, circuit)))
    return defer(delivery, circuit!, answered_at!, { webhook_attempts: webhook_attempts - 1 })
  const outcome = outcomeOf(document)!
  const attempt = await actions.callWebhook(document, outcome)
  await updateCircuit(bus, destination, circuit, attempt)
  const webhook_status = attempt.status_code
  const made = { target: 'webhook', attempt: webhook_attempts, call: attempt.call } as const
  if (!isSuccess(webhook_status)) return postpone(delivery, made, attempt, { webhook_status })
  const state = finalState(outcome.status_code)
  await settle(delivery, { state, delivered_at: new Date(), next_at: null, ...released, webhook_status }, made)
}

/** Retries at the next time of the schedule, not before `Retry-After`. Gives up at the end of the schedule. */
async function postpone(delivery: Delivery, made: MadeAttempt, { retryAfterMs }: HandlerAttempt, change: Columns) {
  const delayMs = retryDelayMs(made.attempt)
  if (delayMs === undefined) await giveUp(delivery, change, made)
  else await enqueueLater(delivery, Math.max(withJitter(delayMs), retryAfterMs), change, made)
  return undefined
}

/** Postpones the document without a call, since its destination is down. Gives up when the destination has been down for too long. */
async function defer(delivery: Delivery, circuit: Circuit, dueSince: Date, change: Columns) {
  const now = new Date()
  const waitingSince = Math.max(circuit.opened_at.getTime(), dueSince.getTime())
  if (now.getTime() - waitingSince > retryPeriodMs) await giveUp(delivery, change)
  else await enqueueLater(delivery, deferralMs(circuit, now), change)
  return undefined
}

const giveUp = (delivery: Delivery, change: Columns, made?: MadeAttempt) =>
  settle(delivery, { ...change, ...released, state: 'failed', next_at: null }, made)

async function enqueueLater(delivery: Delivery, delayMs: number, change: Columns, made?: MadeAttempt) {
  const next_at = new Date(Date.now() + delayMs)
  if (await settle(delivery, { ...change, ...released, next_at }, made)) await delivery.actions.enqueue(delayMs)
  return undefined
}
