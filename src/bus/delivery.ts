import { and, eq, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import {
  type Circuit,
  closeCircuit,
  type Destination,
  deferralMs,
  findCircuit,
  recordFailure,
  resetCircuits,
  takeProbe,
  withJitter,
} from './circuit.ts'
import type { HandlerOutcome } from './contract.ts'
import { type DocumentRow, findDocument } from './documents.ts'
import { failure } from './errors.ts'
import { released } from './forwarding.ts'
import type { HandlerAttempt } from './handler.ts'
import { finalState, isFinal, isSuccess, outcomeOf, unanswered } from './outcome.ts'
import { delayAfter, scheduleMs } from './schedule.ts'
import { type Bus, type Documents, documentsOf } from './schema.ts'
import { isLongEnough, leaseFromNow } from './times.ts'

/** By how much the queue's clock may be ahead. */
const skewMs = 5_000

interface Which {
  collection: number
  document: number
}

/** What a delivery does besides keeping account of it. */
interface Errands {
  callHandler(document: DocumentRow): Promise<HandlerAttempt>
  callWebhook(document: DocumentRow, outcome: HandlerOutcome): Promise<HandlerAttempt>
  /** Comes back to the document after so many milliseconds. */
  comeBack(delay: number): Promise<void>
}

/** A document that this delivery holds. */
interface Delivery {
  bus: Bus
  which: Which
  holder: string
  errands: Errands
}

/**
 * Does what is due of a document: calls the handler unless it has answered, then the webhook. Each step is written down
 * when it is done, so that a task that comes again continues where the one before it was cut off: when that one's lease
 * has expired, since nobody can tell whether its call still runs. `circuit` is the one of the handler.
 */
export async function deliverDocument(
  bus: Bus,
  which: Which,
  circuit: Circuit | undefined,
  errands: Errands,
): Promise<void> {
  const delivery = { bus, which, holder: crypto.randomUUID(), errands }
  const claimed = await claim(delivery)
  if (!claimed) return waitForLease(delivery)
  const answered = isAnswered(claimed) ? claimed : await askHandler(delivery, claimed, circuit)
  if (answered) await tellWebhook(delivery, answered)
}

const isAnswered = ({ status_code }: DocumentRow) => status_code !== null && isFinal(status_code)

const one = (when: SQL) => sql<number>`CASE WHEN ${when} THEN 1 ELSE 0 END`

/** Takes a document that is due and that nobody holds; nothing if the lease would expire before a call could end. */
async function claim({ bus, which, holder }: Delivery) {
  const documents = documentsOf(bus, which.collection)
  const { attempts, webhook_attempts, lease_until } = documents
  const now = new Date()
  const [claimed] = await bus.db
    .update(documents)
    .set({
      holder,
      lease_until: leaseFromNow(),
      attempts: sql`${attempts} + ${one(unanswered(documents))}`,
      webhook_attempts: sql`${webhook_attempts} + 1 - ${one(unanswered(documents))}`,
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

/** Comes back when the lease of a held document has expired. Nothing is left to do if the document is done, or not due yet. */
async function waitForLease({ bus, which, errands }: Delivery) {
  const documents = documentsOf(bus, which.collection)
  const [row] = await bus.db
    .select({ lease: documents.lease_until, next_at: documents.next_at })
    .from(documents)
    .where(eq(documents.id, which.document))
  if (row?.lease && row.next_at) await errands.comeBack(Math.max(row.lease.getTime() - Date.now(), 0))
}

type Columns = { [Column in keyof Documents['$inferInsert']]?: Documents['$inferInsert'][Column] | SQL }

/** Changes a document that is still held. */
async function settle({ bus, which, holder }: Delivery, change: Columns): Promise<DocumentRow | undefined> {
  const documents = documentsOf(bus, which.collection)
  const [settled] = await bus.db
    .update(documents)
    .set(change as Partial<Documents['$inferInsert']>)
    .where(and(eq(documents.id, which.document), eq(documents.holder, holder)))
    .returning()
  return settled
}

/** Calls the handler. Returns the document if the answer is final, so that the webhook is next. */
async function askHandler(delivery: Delivery, document: DocumentRow, circuit: Circuit | undefined) {
  const { bus, which, errands } = delivery
  const destination = { collection: which.collection, origin: '' }
  const { created_at, attempts } = document
  if (!(await mayCall(bus, destination, circuit)))
    return defer(delivery, circuit!, created_at, { attempts: attempts - 1 })
  const attempt = await errands.callHandler(document)
  await keepCircuit(bus, destination, circuit, attempt)
  const { status_code, body } = attempt
  const answer = { status_code, body, answered_at: new Date() }
  if (isFinal(status_code)) return settle(delivery, { ...answer, webhook_attempts: 1, lease_until: leaseFromNow() })
  return postpone(delivery, attempts, attempt, answer)
}

async function tellWebhook(delivery: Delivery, document: DocumentRow) {
  if (!isLongEnough(document.lease_until!)) return waitForLease(delivery)
  const { bus, which, errands } = delivery
  const destination = { collection: which.collection, origin: new URL(document.webhook!).origin }
  const circuit = await findCircuit(bus, destination)
  const { answered_at, webhook_attempts } = document
  if (!(await mayCall(bus, destination, circuit)))
    return defer(delivery, circuit!, answered_at!, { webhook_attempts: webhook_attempts - 1 })
  const outcome = outcomeOf(document)!
  const attempt = await errands.callWebhook(document, outcome)
  await keepCircuit(bus, destination, circuit, attempt)
  const webhook_status = attempt.status_code
  if (!isSuccess(webhook_status)) return postpone(delivery, webhook_attempts, attempt, { webhook_status })
  const state = finalState(outcome.status_code)
  await settle(delivery, { state, delivered_at: new Date(), next_at: null, ...released, webhook_status })
}

const mayCall = async (bus: Bus, destination: Destination, circuit: Circuit | undefined): Promise<boolean> => {
  const now = new Date()
  return !circuit || (circuit.probe_at <= now && (await takeProbe(bus, destination, now)))
}

const keepCircuit = async (
  bus: Bus,
  destination: Destination,
  circuit: Circuit | undefined,
  attempt: HandlerAttempt,
) => {
  if (attempt.isUnavailable) await recordFailure(bus, destination, circuit, attempt.retryAfterMs)
  else if (circuit) await closeCircuit(bus, destination)
}

/** Comes back when the schedule says so, not before the answer's `Retry-After`, or gives up. */
async function postpone(delivery: Delivery, attempts: number, { retryAfterMs }: HandlerAttempt, change: Columns) {
  const delayMs = delayAfter(attempts)
  if (delayMs === undefined) await giveUp(delivery, change)
  else await comeBackLater(delivery, Math.max(withJitter(delayMs), retryAfterMs), change)
  return undefined
}

/** Comes back later without a call, which a failing destination would not answer. Gives up when it has failed for too long. */
async function defer(delivery: Delivery, circuit: Circuit, dueSince: Date, change: Columns) {
  const now = new Date()
  const waitingSince = Math.max(circuit.opened_at.getTime(), dueSince.getTime())
  if (now.getTime() - waitingSince > scheduleMs) await giveUp(delivery, change)
  else await comeBackLater(delivery, deferralMs(circuit, now), change)
  return undefined
}

const giveUp = (delivery: Delivery, change: Columns) =>
  settle(delivery, { ...change, ...released, state: 'failed', next_at: null })

async function comeBackLater(delivery: Delivery, delayMs: number, change: Columns) {
  const next_at = new Date(Date.now() + delayMs)
  if (await settle(delivery, { ...change, ...released, next_at })) await delivery.errands.comeBack(delayMs)
}

/**
 * Makes an async document due again: its handler is called from the start of the schedule, whatever it has answered before.
 * 409 while a delivery is under way, and for a document without a webhook.
 */
export async function replayDocument(bus: Bus, which: Which, now: Date): Promise<void> {
  const documents = documentsOf(bus, which.collection)
  const { webhook, lease_until } = documents
  const unsent = { attempts: 0, webhook_attempts: 0, status_code: null, body: null, webhook_status: null }
  const [[replayed]] = await bus.db.batch([
    bus.db
      .update(documents)
      .set({ ...unsent, ...released, state: 'waiting', next_at: now, answered_at: null, delivered_at: null })
      .where(and(eq(documents.id, which.document), isNotNull(webhook), or(isNull(lease_until), lte(lease_until, now))))
      .returning({ id: documents.id }),
    resetCircuits(bus, which.collection, now),
  ])
  if (replayed) return
  const { webhook: url } = await findDocument(bus, { id: which.collection }, which.document)
  if (url === null) throw failure('not_async')
  throw failure('document_processing')
}
