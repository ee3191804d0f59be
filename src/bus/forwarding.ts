import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { HandlerOutcome } from './contract.ts'
import { findDocument } from './documents.ts'
import { isTableGone } from './missing-table.ts'
import { finalState, isFinal, outcomeOf, unanswered } from './outcome.ts'
import { type Bus, type Documents, documentsOf } from './schema.ts'
import { isLongEnough, leaseFromNow } from './times.ts'

/** How a document begins that the request itself forwards. */
export const held = (holder: string) => ({ state: 'waiting', attempts: 1, holder, lease_until: leaseFromNow() })

/** Where nobody holds a document any more. */
export const released = { holder: null, lease_until: null }

interface Forwarded {
  collection: { id: number }
  document: { id: number }
  holder: string
  /** Until when a new document is held. */
  lease: Date | null
}

/**
 * Returns the outcome of a document in a sync collection. At most one connection to its handler is open at a time: a repeat
 * meanwhile waits for its outcome. 2xx and most of 4xx are final; after any other answer, or none, a repeat calls again.
 */
export async function forwardDocument(
  bus: Bus,
  { collection, document, holder, lease: first }: Forwarded,
  callHandler: () => Promise<HandlerOutcome>,
): Promise<HandlerOutcome> {
  const documents = documentsOf(bus, collection.id)
  for (let lease = first, hasWaited = false, pause = 10; ; pause = Math.min(pause * 2, 250)) {
    if (lease && isLongEnough(lease)) break
    const row = await findDocument(bus, collection, document.id)
    const outcome = outcomeOf(row)
    const isUnderWay = row.holder !== holder && row.lease_until !== null && row.lease_until > new Date()
    // No lease: the call that was waited for has ended. One that has run out: it never will.
    const isOver = hasWaited && row.lease_until === null
    if (outcome && (isFinal(outcome.status_code) || isOver)) return outcome
    lease = isUnderWay ? null : await take(bus, documents, document.id, holder)
    if (lease) continue
    hasWaited = true
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return keepOutcome(bus, collection, document.id, holder, await callHandler())
}

/** Until when it is now this holder that calls the handler, where it is. */
async function take({ db }: Bus, documents: Documents, id: number, holder: string): Promise<Date | null> {
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
 * Writes an outcome down, and gives the one that is stored: a final answer whoever holds the document by now, any other only
 * where no other call has begun since.
 */
async function keepOutcome(
  bus: Bus,
  collection: { id: number },
  id: number,
  holder: string,
  outcome: HandlerOutcome,
): Promise<HandlerOutcome> {
  const documents = documentsOf(bus, collection.id)
  const now = new Date()
  const isKept = isFinal(outcome.status_code)
  try {
    const [kept] = await bus.db
      .update(documents)
      .set({
        ...outcome,
        ...released,
        state: isKept ? finalState(outcome.status_code) : 'failed',
        answered_at: now,
        ...(isKept && { delivered_at: now }),
      })
      .where(and(eq(documents.id, id), unanswered(documents), isKept ? undefined : eq(documents.holder, holder)))
      .returning({ id: documents.id })
    return kept ? outcome : (outcomeOf(await findDocument(bus, collection, id)) ?? outcome)
  } catch (error) {
    // The collection was deleted meanwhile: there is nothing to keep, but somebody waits for the answer.
    if (isTableGone(error)) return outcome
    throw error
  }
}
