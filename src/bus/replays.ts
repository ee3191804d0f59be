// Replays documents: makes them due again, one by one or by a filter.

import { and, asc, eq, gt, gte, isNotNull, isNull, lt, lte, max, ne, or, type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import { resetCircuits } from './circuit.ts'
import type { Replay } from './contract/operations.ts'
import { wants } from './deliveries.ts'
import { findDocument, isUndelivered } from './documents.ts'
import { failure } from './errors.ts'
import { idsIn } from './id-list.ts'
import { lockForBatch } from './lock.ts'
import { unanswered } from './outcome.ts'
import { type Bus, type Documents, deletedUuid, documentsOf } from './schema.ts'
import { released } from './sync-calls.ts'

/** Columns of a document whose webhook is to be called again. Its last status stays, which marks the answer as final. */
const unsentWebhook = { webhook_attempts: 0, delivered_at: null }

/** Columns of a document whose handler is to be called again, from the start of the schedule. */
const unsent = {
  ...{ ...unsentWebhook, webhook_status: null },
  ...{ attempts: 0, status_code: null, body: null, answered_at: null },
}

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
  bus: Bus,
  collection: number,
  filter: ReplayFilter,
  { after, last }: IdRange,
): Promise<Chosen> {
  const { db } = bus
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
    .where(and(gt(id, after), lte(id, end), matches(bus, collection, filter)))
    .orderBy(asc(id))
    .limit(documentsPerStep)
  const ids = rows.map((row) => row.id)
  return { ids, after: ids.length === documentsPerStep ? ids.at(-1)! : end }
}

/** Whether the index of documents that were not delivered finds the documents of a filter. */
const isIndexed = ({ target, state }: Pick<ReplayFilter, 'target' | 'state'>) =>
  !isSubscription(target) && (state === 'rejected' || state === 'failed')

/** Whether the target of a replay is a subscription. */
export const isSubscription = (target: ReplayFilter['target']) => target !== 'handler' && target !== 'webhook'

/** SQL condition: the document has an event of the subscription, and its delivery is in the state of the filter. */
function matchesSubscription(bus: Bus, collection: number, { target, state, from, to }: ReplayFilter): SQL {
  const { subscriptions, deliveries } = bus
  const documents = documentsOf(bus, collection)
  const { id, event, uuid, created_at } = documents
  const isWanted = wants(bus, sql`s.collection`, sql`${event}`)
  const inState = sql`EXISTS (SELECT 1 FROM ${deliveries} o WHERE o.collection = ${collection} AND o.document = ${id}
    AND o.subscription = ${target} AND o.state = ${state})`
  return and(
    ne(uuid, deletedUuid),
    sql`EXISTS (SELECT 1 FROM ${subscriptions} s WHERE s.id = ${target} AND ${isWanted})`,
    state === undefined ? undefined : inState,
    from === undefined ? undefined : gte(created_at, new Date(from)),
    to === undefined ? undefined : lt(created_at, new Date(to)),
  )!
}

/** SQL condition: the handler has given its final answer, and is not called again for it. */
function isAnswered(bus: Bus, collection: number): SQL {
  const { collections } = bus
  const documents = documentsOf(bus, collection)
  const isRetried = sql`(SELECT retry_rejected FROM ${collections} WHERE ${eq(collections.id, collection)})`
  return sql`NOT (${unanswered(documents)}) AND NOT (${isRetried} AND ${unanswered(documents, true)})`
}

function matches(bus: Bus, collection: number, filter: ReplayFilter): SQL {
  if (isSubscription(filter.target)) return matchesSubscription(bus, collection, filter)
  const { target, state, from, to } = filter
  const documents = documentsOf(bus, collection)
  const { created_at, webhook } = documents
  return and(
    isNotNull(webhook),
    target === 'webhook' ? isAnswered(bus, collection) : undefined,
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
  const isNext = and(
    eq(operations.id, step.operation),
    eq(operations.state, 'running'),
    eq(operations.position, before),
  )!
  const chosen = idsIn(bus, JSON.stringify(ids))
  const makeDue = isSubscription(filter.target) ? makeDeliveriesDue : makeDocumentsDue
  const { statement, count } = makeDue(bus, step, { chosen, isNext, now })
  const [, replayed] = await db.batch([
    lockForBatch(bus, collection),
    statement,
    db
      .update(operations)
      .set({
        position: after,
        matched: sql`${operations.matched} + ${ids.length}`,
        done: sql`${operations.done} + (${count})`,
      })
      .where(isNext),
  ])
  return rowsOf<{ id: number | string }>(replayed).map(({ id }) => Number(id))
}

interface StepConditions {
  /** SQL: the ids of the chosen documents. */
  chosen: SQL
  /** SQL condition: no other run has made the step. */
  isNext: SQL
  now: Date
}

/** Statement that makes documents due, and SQL that counts them afterwards. */
function makeDocumentsDue(bus: Bus, { collection, filter }: ReplayStep, { chosen, isNext, now }: StepConditions) {
  const documents = documentsOf(bus, collection)
  const isChosen = sql`${documents.id} IN (${chosen})`
  const columns = { ...(filter.target === 'webhook' ? unsentWebhook : unsent), ...dueAgain(now) }
  const assignments = Object.entries(columns).map(
    ([name, value]) => sql`${sql.identifier(name)} = ${sql.param(value, documents[name as keyof typeof columns])}`,
  )
  return {
    statement: bus.run(sql`
      UPDATE ${documents} SET ${sql.join(assignments, sql`, `)}
      WHERE ${isChosen} AND ${matches(bus, collection, filter)} AND ${isFree(documents, now)}
        AND EXISTS (SELECT 1 FROM ${bus.operations} WHERE ${isNext}) RETURNING id`),
    count: sql`SELECT count(*) FROM ${documents} WHERE ${isChosen} AND ${eq(documents.next_at, now)}`,
  }
}

/** As `makeDocumentsDue`, for the deliveries to a subscriber. Creates those that do not exist. */
function makeDeliveriesDue(bus: Bus, { collection, filter }: ReplayStep, { chosen, isNext, now }: StepConditions) {
  const { deliveries } = bus
  const documents = documentsOf(bus, collection)
  const at = sql.param(now, deliveries.next_at)
  const ofTarget = sql`collection = ${collection} AND subscription = ${filter.target} AND document IN (${chosen})`
  return {
    statement: bus.run(sql`
      INSERT INTO ${deliveries} (collection, document, subscription, state, attempts, next_at)
      SELECT CAST(${collection} AS bigint), ${documents.id}, CAST(${filter.target} AS text), 'waiting', 0, ${at}
      FROM ${documents} WHERE ${documents.id} IN (${chosen}) AND ${matches(bus, collection, filter)}
        AND EXISTS (SELECT 1 FROM ${bus.operations} WHERE ${isNext})
      ON CONFLICT (collection, document, subscription) DO UPDATE SET state = 'waiting', attempts = 0, status_code = NULL,
        next_at = excluded.next_at, delivered_at = NULL, lease_until = NULL, holder = NULL
      WHERE ${deliveries.lease_until} IS NULL OR ${lte(deliveries.lease_until, now)}
      RETURNING document AS id`),
    count: sql`SELECT count(*) FROM ${deliveries} WHERE ${ofTarget} AND next_at = ${at}`,
  }
}
