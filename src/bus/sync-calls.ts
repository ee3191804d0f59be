// Calls the handler of a sync collection while the sender waits. A lease allows one call per document at a time.
import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { HandlerOutcome } from './contract/documents.ts'
import { findDocument } from './documents.ts'
import { isTableGone } from './missing-table.ts'
import { finalState, isFinal, outcomeOf, unanswered } from './outcome.ts'
import { type Bus, type Documents, documentsOf } from './schema.ts'
import { isLongEnough, leaseFromNow } from './timeouts.ts'

/** Initial columns of a document in a sync collection: its first request holds the lease and calls the handler. */
export const leased = (holder: string) => ({ state: 'waiting', attempts: 1, holder, lease_until: leaseFromNow() })

/** Columns that release the lease of a document. */
export const released = { holder: null, lease_until: null }

interface SyncCall {
  collection: { id: number }
  document: { id: number }
  holder: string
  /** End of the lease that a new document begins with. */
  lease: Date | null
}

/**
 * Calls the handler for a document of a sync collection and returns the outcome. At most one call per document is open at a time:
 * a repeat during the call polls for its outcome. After an outcome that is not final, a repeat calls the handler again.
 */
export async function callSync(
  bus: Bus,
  { collection, document, holder, lease: first }: SyncCall,
  callHandler: () => Promise<HandlerOutcome>,
): Promise<HandlerOutcome> {
  const documents = documentsOf(bus, collection.id)
  for (let lease = first, hasWaited = false, pause = 10; ; pause = Math.min(pause * 2, 250)) {
    if (lease && isLongEnough(lease)) break
    const row = await findDocument(bus, collection, document.id)
    const outcome = outcomeOf(row)
    const isUnderWay = row.holder !== holder && row.lease_until !== null && row.lease_until > new Date()
    // A released lease means that the call that this request waited for has ended; an expired one, that a crash interrupted the call.
    const hasEnded = hasWaited && row.lease_until === null
    if (outcome && (isFinal(outcome.status_code) || hasEnded)) return outcome
    lease = isUnderWay ? null : await takeLease(bus, documents, document.id, holder)
    if (lease) continue
    hasWaited = true
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return storeOutcome(bus, collection, document.id, holder, await callHandler())
}

/** Takes the lease for a holder. Returns its end, or null if another holder has it or the answer is final. */
async function takeLease({ db }: Bus, documents: Documents, id: number, holder: string): Promise<Date | null> {
  const { lease_until, attempts } = documents
  const isFree = or(isNull(lease_until), lte(lease_until, new Date()), eq(documents.holder, holder))
  const [taken] = await db
    .update(documents)
    .set({ holder, lease_until: leaseFromNow(), attempts: sql`${attempts} + 1` })
    .where(and(eq(documents.id, id), unanswered(documents), isFree))
    .returning({ lease: lease_until })
  return taken?.lease ?? null
}

/**
 * Stores an outcome and returns the stored one. A final answer is stored even if another call has taken the lease meanwhile; any
 * other outcome only if this call still holds the lease.
 */
async function storeOutcome(
  bus: Bus,
  collection: { id: number },
  id: number,
  holder: string,
  outcome: HandlerOutcome,
): Promise<HandlerOutcome> {
  const documents = documentsOf(bus, collection.id)
  const now = new Date()
  const isAnswerFinal = isFinal(outcome.status_code)
  try {
    const [stored] = await bus.db
      .update(documents)
      .set({
        ...outcome,
        ...released,
        state: isAnswerFinal ? finalState(outcome.status_code) : 'failed',
        answered_at: now,
        ...(isAnswerFinal && { delivered_at: now }),
      })
      .where(and(eq(documents.id, id), unanswered(documents), isAnswerFinal ? undefined : eq(documents.holder, holder)))
      .returning({ id: documents.id })
    return stored ? outcome : (outcomeOf(await findDocument(bus, collection, id)) ?? outcome)
  } catch (error) {
    // The collection was deleted during the call, so the outcome cannot be stored. The caller still gets it.
    if (isTableGone(error)) return outcome
    throw error
  }
}
