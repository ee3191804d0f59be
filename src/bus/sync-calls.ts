// Calls the handler of a sync collection while the sender waits. A lease allows one call per document at a time.
import { and, eq, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { isTableGone } from '#core/db/missing-table'
import { type CallRecord, holdsLease, recordAttempt } from './attempts.ts'
import type { HandlerOutcome } from './contract/documents.ts'
import { findDocument } from './documents.ts'
import { finalState, isFinal, outcomeOf, unanswered } from './outcome.ts'
import { type Bus, type Documents, documentsOf } from './schema.ts'
import { handlerTimeoutMs, isLongEnough, leaseFromNow, syncCallDeadlineMs, syncLeaseMs } from './timeouts.ts'

/** Initial columns of a document in a sync collection: its first request holds the lease and calls the handler. */
export const leased = (holder: string) => ({
  state: 'waiting',
  attempts: 1,
  holder,
  lease_until: leaseFromNow(syncLeaseMs),
})

/** Columns that release the lease of a document. */
export const released = { holder: null, lease_until: null }

interface SyncCall {
  collection: { id: number }
  document: { id: number }
  holder: string
  /** End of the lease that a new document begins with. */
  lease: Date | null
}

/** The outcome of a call to the handler, with the record of the call. */
type CallOutcome = HandlerOutcome & { call: CallRecord }

/** A lease that this request holds, and the number of its attempt. */
interface Claim {
  until: Date
  attempt: number
}

/** The caller keeps the call alive after its reply, and sets how long the sender waits. */
interface Waiting {
  keepAlive(call: Promise<unknown>): void
  replyAfterMs?: number
}

const timedOut: HandlerOutcome = { status_code: 504, body: 'null' }

/**
 * Calls the handler for a document of a sync collection and returns the outcome. At most one call per document is open at a time:
 * a repeat during the call polls for its outcome. After an outcome that is not final, a repeat calls the handler again. If the
 * handler takes too long, the sender gets 504, and the call keeps the lease until the handler answers or the deadline passes.
 */
export async function callSync(
  bus: Bus,
  { collection, document, holder, lease }: SyncCall,
  callHandler: () => Promise<CallOutcome>,
  { keepAlive, replyAfterMs = handlerTimeoutMs }: Waiting,
): Promise<HandlerOutcome> {
  const documents = documentsOf(bus, collection.id)
  const waitUntil = Date.now() + replyAfterMs
  let claim: Claim | undefined = lease ? { until: lease, attempt: 1 } : undefined
  for (let hasWaited = false, pause = 10; ; pause = Math.min(pause * 2, 250)) {
    if (claim && isLongEnough(claim.until, syncCallDeadlineMs)) break
    const row = await findDocument(bus, collection, document.id)
    const outcome = outcomeOf(row)
    const isUnderWay = row.holder !== holder && row.lease_until !== null && row.lease_until > new Date()
    // A released lease means that the call that this request waited for has ended; an expired one, that a crash interrupted the call.
    const hasEnded = hasWaited && row.lease_until === null
    if (outcome && (isFinal(outcome.status_code) || hasEnded)) return outcome
    claim = isUnderWay ? undefined : await takeLease(bus, documents, document.id, holder)
    if (claim) continue
    if (Date.now() > waitUntil) return timedOut
    hasWaited = true
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  const { attempt } = claim
  const which = { collection: collection.id, document: document.id, attempt }
  const stored = callHandler().then((outcome) => storeOutcome(bus, which, holder, outcome))
  keepAlive(stored.catch(() => undefined))
  return withTimeout(stored, replyAfterMs)
}

/** The outcome, or 504 if it takes too long. */
async function withTimeout(outcome: Promise<HandlerOutcome>, timeoutMs: number): Promise<HandlerOutcome> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<HandlerOutcome>((resolve) => (timer = setTimeout(resolve, timeoutMs, timedOut)))
  return Promise.race([outcome, late]).finally(() => clearTimeout(timer))
}

/** Takes the lease for a holder. Undefined if another holder has it or the answer is final. */
async function takeLease({ db }: Bus, documents: Documents, id: number, holder: string): Promise<Claim | undefined> {
  const { lease_until, attempts } = documents
  const isFree = or(isNull(lease_until), lte(lease_until, new Date()), eq(documents.holder, holder))
  const [taken] = await db
    .update(documents)
    .set({ holder, lease_until: leaseFromNow(syncLeaseMs), attempts: sql`${attempts} + 1` })
    .where(and(eq(documents.id, id), unanswered(documents), isFree))
    .returning({ until: lease_until, attempt: attempts })
  return taken && { until: taken.until!, attempt: taken.attempt }
}

interface Attempted {
  collection: number
  document: number
  attempt: number
}

/**
 * Stores an outcome and returns the stored one. A final answer is stored even if another call has taken the lease meanwhile; any
 * other outcome only if this call still holds the lease. Nothing is stored for a document that was erased or deleted during the call.
 */
async function storeOutcome(
  bus: Bus,
  which: Attempted,
  holder: string,
  { call, ...outcome }: CallOutcome,
): Promise<HandlerOutcome> {
  const documents = documentsOf(bus, which.collection)
  const now = new Date()
  const isAnswerFinal = isFinal(outcome.status_code)
  const id = which.document
  // An erasure or a deletion empties the row and takes the lease away.
  const isKept = or(isNotNull(documents.holder), ne(documents.data, '{}'))
  const update = bus.db
    .update(documents)
    .set({
      ...outcome,
      ...released,
      state: isAnswerFinal ? finalState(outcome.status_code) : 'failed',
      answered_at: now,
      ...(isAnswerFinal && { delivered_at: now }),
    })
    .where(and(eq(documents.id, id), unanswered(documents), isAnswerFinal ? isKept : eq(documents.holder, holder)))
    .returning({ id: documents.id })
  const record = recordAttempt(bus, { ...which, target: 'handler' }, call, holdsLease(bus, which, holder))
  try {
    const [, , [stored]] = await bus.db.batch([...record, update])
    return stored ? outcome : (outcomeOf(await findDocument(bus, { id: which.collection }, id)) ?? outcome)
  } catch (error) {
    // The collection was deleted during the call, so the outcome cannot be stored. The caller still gets it.
    if (isTableGone(error)) return outcome
    throw error
  }
}
