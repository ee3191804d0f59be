import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { Failure } from '#core/failure'
import type { Outcome } from './contract.ts'
import { type DocumentRow, findDocument } from './documents.ts'
import { outcomeOf, released, unanswered } from './forwarding.ts'
import { delayAfter } from './schedule.ts'
import { type Bus, type Documents, documentsOf } from './schema.ts'
import { isLongEnough, leaseFromNow } from './times.ts'

/** By how much the queue's clock may be ahead. */
const skew = 5_000

interface Which {
  collection: number
  document: number
}

/** What a delivery does besides keeping account of it. */
export interface Errands {
  callHandler(document: DocumentRow): Promise<Outcome>
  /** Gives the status of the webhook's answer. */
  callWebhook(document: DocumentRow, outcome: Outcome): Promise<number>
  /** Comes back to the document after so many milliseconds. */
  comeBack(delay: number): Promise<void>
}

/**
 * Does what is due of a document: calls the handler unless that has answered, then the webhook. Each step is written down
 * when it is done, so that a task that comes again goes on where the one before it was cut off: when the lease of that one
 * has run out, since nobody can tell whether its call still goes on.
 */
export async function deliverDocument(bus: Bus, which: Which, errands: Errands): Promise<void> {
  const holder = crypto.randomUUID()
  const claimed = await claim(bus, which, holder)
  if (!claimed) return waitForLease(bus, which, errands)
  const answered = isAnswered(claimed) ? claimed : await askHandler(bus, which, holder, claimed, errands)
  if (answered) await tellWebhook(bus, which, holder, answered, errands)
}

const isAnswered = ({ status_code }: DocumentRow) => status_code !== null && status_code < 500

const one = (when: SQL) => sql<number>`CASE WHEN ${when} THEN 1 ELSE 0 END`

/** Takes a document that is due, and that nobody is at; nothing where the lease would be over before a call could be. */
async function claim({ db, ...bus }: Bus, { collection, document }: Which, holder: string) {
  const documents = documentsOf(bus, collection)
  const { attempts, webhook_attempts, lease_until } = documents
  const now = new Date()
  const [claimed] = await db
    .update(documents)
    .set({
      holder,
      lease_until: leaseFromNow(),
      attempts: sql`${attempts} + ${one(unanswered(documents))}`,
      webhook_attempts: sql`${webhook_attempts} + 1 - ${one(unanswered(documents))}`,
    })
    .where(
      and(
        eq(documents.id, document),
        lte(documents.next_at, new Date(now.getTime() + skew)),
        or(isNull(lease_until), lte(lease_until, now)),
      ),
    )
    .returning()
  return claimed && isLongEnough(claimed.lease_until!) ? claimed : undefined
}

/** Comes back when the lease of whoever is at a document has run out. Nothing is left to do where it is done, or not due yet. */
async function waitForLease({ db, ...bus }: Bus, { collection, document }: Which, { comeBack }: Errands) {
  const documents = documentsOf(bus, collection)
  const [row] = await db
    .select({ lease: documents.lease_until, next_at: documents.next_at })
    .from(documents)
    .where(eq(documents.id, document))
  if (row?.lease && row.next_at) await comeBack(Math.max(row.lease.getTime() - Date.now(), 0))
}

/** Changes a document that is still held. */
async function settle(
  { db, ...bus }: Bus,
  { collection, document }: Which,
  holder: string,
  change: { [Column in keyof Documents['$inferInsert']]?: Documents['$inferInsert'][Column] | SQL },
): Promise<DocumentRow | undefined> {
  const documents = documentsOf(bus, collection)
  const [settled] = await db
    .update(documents)
    .set(change as Partial<Documents['$inferInsert']>)
    .where(and(eq(documents.id, document), eq(documents.holder, holder)))
    .returning()
  return settled
}

/** The document where the handler has answered, so that the webhook is next. */
async function askHandler(bus: Bus, which: Which, holder: string, document: DocumentRow, errands: Errands) {
  const outcome = await errands.callHandler(document)
  const answer = { ...outcome, answered_at: new Date() }
  if (outcome.status_code < 500)
    return settle(bus, which, holder, { ...answer, webhook_attempts: 1, lease_until: leaseFromNow() })
  await postpone(bus, which, holder, document.attempts, answer, errands)
  return undefined
}

async function tellWebhook(bus: Bus, which: Which, holder: string, document: DocumentRow, errands: Errands) {
  if (!isLongEnough(document.lease_until!)) return waitForLease(bus, which, errands)
  const webhook_status = await errands.callWebhook(document, outcomeOf(document)!)
  if (webhook_status < 200 || webhook_status > 299)
    return postpone(bus, which, holder, document.webhook_attempts, { webhook_status }, errands)
  const done = { state: 'delivered', delivered_at: new Date(), next_at: null, ...released }
  await settle(bus, which, holder, { ...done, webhook_status })
}

/** Comes back when the schedule says so, or gives up. */
async function postpone(
  bus: Bus,
  which: Which,
  holder: string,
  attempts: number,
  change: Partial<Documents['$inferInsert']>,
  { comeBack }: Errands,
) {
  const delay = delayAfter(attempts)
  if (delay === undefined) {
    await settle(bus, which, holder, { ...change, ...released, state: 'failed', next_at: null })
    return
  }
  const next_at = new Date(Date.now() + delay)
  if (await settle(bus, which, holder, { ...change, ...released, next_at })) await comeBack(delay)
}

/**
 * Makes an async document due again: where the handler has answered its webhook is repeated, else the handler is called
 * from the start of the schedule. 409 while a delivery is under way, and for what has no webhook.
 */
export async function replayDocument(bus: Bus, which: Which, now: Date): Promise<void> {
  const documents = documentsOf(bus, which.collection)
  const { webhook, lease_until, attempts } = documents
  const isOpen = unanswered(documents)
  const [replayed] = await bus.db
    .update(documents)
    .set({
      state: 'waiting',
      next_at: now,
      webhook_attempts: 0,
      attempts: sql`CASE WHEN ${isOpen} THEN 0 ELSE ${attempts} END`,
      delivered_at: null,
      ...released,
    })
    .where(and(eq(documents.id, which.document), isNotNull(webhook), or(isNull(lease_until), lte(lease_until, now))))
    .returning({ id: documents.id })
  if (replayed) return
  const { webhook: url } = await findDocument(bus, { id: which.collection }, which.document)
  if (url === null) throw new Failure('conflict', 'The document is not async', { code: 'not_async' })
  throw new Failure('conflict', 'The document is being delivered', { code: 'document_processing' })
}

/** Overdue by so much that its task must be lost, unless the queue is behind. */
const patience = 60_000

/**
 * Takes up documents whose task is lost while nobody is at them, the longest overdue first: due well before what is first in
 * line, which is asked for only where something is overdue. What one sweep has taken up no other takes up until it is again.
 */
export async function takeStuck(
  { db, ...bus }: Bus,
  collection: number,
  limit: number,
  inLineSince: () => Promise<Date>,
): Promise<number[]> {
  const documents = documentsOf(bus, collection)
  const { id, next_at, lease_until } = documents
  const dueBefore = (since: Date) =>
    and(lt(next_at, new Date(since.getTime() - patience)), or(isNull(lease_until), lte(lease_until, new Date())))
  const [overdue] = await db.select({ id }).from(documents).where(dueBefore(new Date())).limit(1)
  if (!overdue) return []
  const isStuck = dueBefore(await inLineSince())
  const stuck = db.select({ id }).from(documents).where(isStuck).orderBy(asc(next_at)).limit(limit)
  const taken = await db
    .update(documents)
    .set({ next_at: new Date() })
    .where(and(inArray(id, stuck), isStuck))
    .returning({ id })
  return taken.map((row) => row.id)
}
