// Replays documents: makes them due again, one by one or by a filter.
import { and, asc, eq, gt, gte, isNotNull, isNull, lt, lte, max, or, type SQL, sql } from 'drizzle-orm'
import { resetCircuits } from './circuit.ts'
import type { Replay } from './contract/operations.ts'
import { findDocument, isUndelivered } from './documents.ts'
import { failure } from './errors.ts'
import { idsIn } from './id-list.ts'
import { lockForBatch } from './lock.ts'
import { unanswered } from './outcome.ts'
import { type Bus, type Documents, documentsOf } from './schema.ts'
import { released } from './sync-calls.ts'

const unsentWebhook = { webhook_attempts: 0, webhook_status: null, delivered_at: null }

/** Columns of a document whose handler is to be called again, from the start of the schedule. */
const unsent = { ...unsentWebhook, attempts: 0, status_code: null, body: null, answered_at: null }

const dueAgain = (now: Date) => ({ ...released, state: 'waiting', next_at: now })

const isFree = ({ lease_until }: Documents, now: Date) => or(isNull(lease_until), lte(lease_until, now))

/**
 * Makes an async document due again: its handler is called from the start of the schedule, whatever it answered before.
 * 409 during a delivery, and for a document without a webhook.
 */
export async function replayDocument(
  bus: Bus,
  which: { collection: number; document: number },
  now: Date,
): Promise<void> {
  const documents = documentsOf(bus, which.collection)
  const [[replayed]] = await bus.db.batch([
    bus.db
      .update(documents)
      .set({ ...unsent, ...dueAgain(now) })
      .where(and(eq(documents.id, which.document), isNotNull(documents.webhook), isFree(documents, now)))
      .returning({ id: documents.id }),
    resetCircuits(bus, which.collection, now),
  ])
  if (replayed) return
  const { webhook: url } = await findDocument(bus, { id: which.collection }, which.document)
  if (url === null) throw failure('not_async')
  throw failure('document_processing')
}

/** A filter of documents, which is stored with an operation. Times are in milliseconds since 1970. */
export interface ReplayFilter {
  target: Replay['target']
  state?: Replay['state']
  from?: number
  to?: number
}

/** The first and the last id of the documents of a filter. */
interface IdRange {
  after: number
  last: number
}

/** Ids are in the order of creation, except that of documents that were sent within this time. */
const disorderMs = 60_000

/** Finds the range of ids that a filter can match, by a binary search for its times. */
export async function findRange(bus: Bus, collection: number, { from, to }: ReplayFilter): Promise<IdRange> {
  const documents = documentsOf(bus, collection)
  const [newest] = await bus.db.select({ id: max(documents.id) }).from(documents)
  const last = newest?.id ?? 0
  const after = from === undefined ? 0 : await idBefore(bus, documents, last, new Date(from - disorderMs))
  return { after, last: to === undefined ? last : await idBefore(bus, documents, last, new Date(to + disorderMs)) }
}

/** The greatest id such that all documents up to it were created before a time. */
async function idBefore({ db }: Bus, documents: Documents, last: number, time: Date): Promise<number> {
  let [low, high] = [0, last]
  while (low < high) {
    const middle = Math.floor((low + high) / 2) + 1
    const [found] = await db
      .select({ created_at: documents.created_at })
      .from(documents)
      .where(gte(documents.id, middle))
      .orderBy(asc(documents.id))
      .limit(1)
    if (!found || found.created_at >= time) high = middle - 1
    else low = middle
  }
  return low
}

/** Ids that one step searches, and documents that it replays. */
const idsPerStep = 2_000
const documentsPerStep = 200

interface Chosen {
  ids: number[]
  /** Where the next step begins. */
  after: number
}

/** The next documents that a filter matches. */
export async function chooseDocuments(
  { db, ...bus }: Bus,
  collection: number,
  filter: ReplayFilter,
  { after, last }: IdRange,
): Promise<Chosen> {
  const documents = documentsOf(bus, collection)
  const { id } = documents
  const range = db
    .select({ id })
    .from(documents)
    .where(and(gt(id, after), lte(id, last)))
    .orderBy(asc(id))
    .limit(idsPerStep)
    .as('range')
  const [found] = isIndexed(filter) ? [{ end: last }] : await db.select({ end: max(range.id) }).from(range)
  const end = found?.end ?? last
  const rows = await db
    .select({ id })
    .from(documents)
    .where(and(gt(id, after), lte(id, end), matches(documents, filter)))
    .orderBy(asc(id))
    .limit(documentsPerStep)
  const ids = rows.map((row) => row.id)
  return { ids, after: ids.length === documentsPerStep ? ids.at(-1)! : end }
}

/** Whether the index of documents that were not delivered finds the documents of a filter. */
const isIndexed = ({ state }: ReplayFilter) => state === 'rejected' || state === 'failed'

function matches(documents: Documents, { target, state, from, to }: ReplayFilter): SQL {
  const { created_at, webhook } = documents
  return and(
    isNotNull(webhook),
    target === 'webhook' ? sql`NOT (${unanswered(documents)})` : undefined,
    state === undefined ? undefined : eq(documents.state, state),
    isIndexed({ target, state }) ? isUndelivered : undefined,
    from === undefined ? undefined : gte(created_at, new Date(from)),
    to === undefined ? undefined : lt(created_at, new Date(to)),
  )!
}

/** A step of an operation: the documents that it replays, and the position of the operation before and after it. */
interface ReplayStep {
  operation: string
  collection: number
  filter: ReplayFilter
  ids: number[]
  before: number
  after: number
}

/**
 * Makes documents due again and moves the operation to its next position, in one batch: a step that is repeated after a crash, or
 * runs twice at a time, replays no document twice. Returns the ids of the replayed documents; documents under way are left out.
 */
export async function replayStep(bus: Bus, step: ReplayStep, now: Date): Promise<number[]> {
  const { db, operations } = bus
  const { collection, ids, filter, before, after } = step
  const documents = documentsOf(bus, collection)
  const isNext = and(
    eq(operations.id, step.operation),
    eq(operations.state, 'running'),
    eq(operations.position, before),
  )
  const isChosen = sql`${documents.id} IN (${idsIn(bus, JSON.stringify(ids))})`
  const isReplayed = sql`${isChosen} AND ${eq(documents.next_at, now)}`
  const [, replayed] = await db.batch([
    lockForBatch(bus, collection),
    db
      .update(documents)
      .set({ ...(filter.target === 'webhook' ? unsentWebhook : unsent), ...dueAgain(now) })
      .where(
        and(
          isChosen,
          matches(documents, filter),
          isFree(documents, now),
          sql`EXISTS (SELECT 1 FROM ${operations} WHERE ${isNext})`,
        ),
      )
      .returning({ id: documents.id }),
    db
      .update(operations)
      .set({
        position: after,
        matched: sql`${operations.matched} + ${ids.length}`,
        done: sql`${operations.done} + (SELECT count(*) FROM ${documents} WHERE ${isReplayed})`,
      })
      .where(isNext),
  ])
  return replayed.map(({ id }) => id)
}
