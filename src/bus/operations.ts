// Operations that run in the background in bounded steps: bulk replays, and the purge of deleted collections.
import { and, asc, count, eq, isNotNull, lt, lte } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import { isTableGone } from '#core/db/missing-table'
import { open } from '#core/db/open'
import { hasBudget, sweepBudget } from '#core/db/retention'
import { Failure } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { resetCircuits } from './circuit.ts'
import { findCollection } from './collections.ts'
import type { BulkReplay, OperationOf, Replay } from './contract/operations.ts'
import { failure, missing } from './errors.ts'
import { purge } from './purge.ts'
import { chooseDocuments, findRange, isSubscription, type ReplayFilter, replayStep } from './replays.ts'
import { findCollectionFor, type UsableCollection } from './rights.ts'
import { type Bus, schema } from './schema.ts'
import { enqueueDelivery, enqueueDocument } from './tasks.ts'

/** Operations that may be running at a time. */
const maxRunning = 100

/** An operation whose process died continues after this time. */
const leaseMs = 60_000

/** An operation that has not ended after this time fails. Ended ones are deleted after a month. */
const maxAgeMs = 7 * 86_400_000
const retentionMs = 30 * 86_400_000

/** Limits of one run of an operation. A task is a subrequest, of which the platform allows an invocation 1000. */
const runLimits = { tasks: 400, ms: 20_000 }

/** Number of tasks that a run creates in the queue concurrently. */
const concurrentTasks = 20

/** Operations of each kind that one sweep continues. Purges share one budget. */
const perSweep = { replay: 2, purge: 20 }

/** Starts to replay the documents of a collection that match a filter, for a user with write access. Returns the operation's id. */
export async function startReplay(env: Env, ctx: ExecutionContext, hash: string, replay: Replay) {
  const bus = open(env, schema)
  const collection = await findCollectionFor(bus, hash, replay.collection, 'write')
  if (isSubscription(replay.target)) await requireSubscription(bus, collection, replay.target)
  else if (collection.type !== 'async') throw failure('not_async')
  const filter: ReplayFilter = {
    target: replay.target,
    ...(replay.state && { state: replay.state }),
    ...(replay.from && { from: replay.from.getTime() }),
    ...(replay.to && { to: replay.to.getTime() }),
  }
  const id = await storeReplay(bus, collection, filter, new Date())
  ctx.waitUntil(runOperation(env, id).catch(report))
  return { id }
}

async function requireSubscription({ db, subscriptions }: Bus, { name }: UsableCollection, id: string): Promise<void> {
  const isChosen = and(eq(subscriptions.id, id), eq(subscriptions.collection, name))
  if ((await db.$count(subscriptions, isChosen)) === 0) throw missing('subscription', { id })
}

async function storeReplay(bus: Bus, { id: collection }: UsableCollection, filter: ReplayFilter, now: Date) {
  const { db, operations } = bus
  const [running] = await db
    .select({ n: count() })
    .from(operations)
    .where(and(eq(operations.kind, 'replay'), isNotNull(operations.next_at)))
  if (running!.n >= maxRunning) throw failure('operations_full', undefined, { retryAfter: 60 })
  const { after, last } = await findRange(bus, collection, filter).catch((error: unknown) => {
    throw isTableGone(error) ? missing('collection') : error
  })
  const id = crypto.randomUUID()
  await db.batch([
    db.insert(operations).values({
      ...{ id, kind: 'replay', collection, filter: JSON.stringify(filter), state: 'running', position: after, last },
      ...{ matched: 0, done: 0, created_at: now, next_at: now },
    }),
    resetCircuits(bus, collection, now),
  ])
  return id
}

/** The state of a bulk replay, for a user with read access to its collection. */
export async function readOperation(
  env: Env,
  hash: string,
  { collection: name, id }: OperationOf,
): Promise<BulkReplay> {
  const bus = open(env, schema)
  const collection = await findCollectionFor(bus, hash, name, 'read')
  const { operations } = bus
  const { kind, state, matched, done, created_at, ended_at } = operations
  const [found] = await bus.db
    .select({ id: operations.id, state, matched, done, created_at, ended_at })
    .from(operations)
    .where(and(eq(operations.id, id), eq(operations.collection, collection.id), eq(kind, 'replay')))
  if (!found) throw missing('operation', { id })
  return { ...found, state: found.state as BulkReplay['state'] }
}

type StoredOperation = Bus['operations']['$inferSelect']

/** Runs steps of an operation until it ends or the limits of a run are reached. Another run continues it then. */
async function runOperation(env: Env, id: string, budget = sweepBudget()): Promise<void> {
  const bus = open(env, schema)
  const claimed = await claim(bus, id, new Date())
  if (!claimed) return
  try {
    const hasEnded =
      claimed.kind === 'purge' ? await purge(bus, claimed.filter, budget) : await replay(env, bus, claimed)
    if (hasEnded) await end(bus, id, 'done')
    else await bus.db.update(bus.operations).set({ next_at: new Date() }).where(isRunning(bus, id))
  } catch (error) {
    if (isTableGone(error) || isGone(error)) return end(bus, id, 'failed')
    if (Date.now() - claimed.created_at.getTime() > maxAgeMs) await end(bus, id, 'failed')
    throw error
  }
}

/** The collection was deleted meanwhile. */
const isGone = (error: unknown) => Failure.is(error) && error.code === 'collection_not_found'

const isRunning = ({ operations }: Bus, id: string) => and(eq(operations.id, id), eq(operations.state, 'running'))

/** Leases a running operation, so that no other run continues it at the same time. */
async function claim(bus: Bus, id: string, now: Date): Promise<StoredOperation | undefined> {
  const { db, operations } = bus
  const [claimed] = await db
    .update(operations)
    .set({ next_at: new Date(now.getTime() + leaseMs) })
    .where(and(isRunning(bus, id), lte(operations.next_at, now)))
    .returning()
  return claimed
}

const end = ({ db, operations, ...bus }: Bus, id: string, state: 'done' | 'failed') =>
  db
    .update(operations)
    .set({ state, next_at: null, ended_at: new Date() })
    .where(isRunning({ db, operations, ...bus }, id))
    .then(() => undefined)

/** Replays the next documents. Returns whether none are left. */
async function replay(env: Env, bus: Bus, { id, collection, filter: text, position, last }: StoredOperation) {
  const filter = JSON.parse(text) as ReplayFilter
  const until = Date.now() + runLimits.ms
  let [before, tasks] = [position, 0]
  while (before < last) {
    if (tasks >= runLimits.tasks || Date.now() > until) return false
    const { ids, after } = await chooseDocuments(bus, collection, filter, { after: before, last })
    const replayed = await replayStep(bus, { operation: id, collection, filter, ids, before, after }, new Date())
    await enqueueDocuments(env, bus, collection, filter.target, replayed)
    before = after
    tasks += replayed.length
  }
  return true
}

/** Creates the tasks of replayed documents. If the queue does not accept one, the sweep creates it, since its document is due. */
async function enqueueDocuments(
  env: Env,
  bus: Bus,
  collection: number,
  target: ReplayFilter['target'],
  documents: number[],
): Promise<void> {
  if (documents.length === 0) return
  const { concurrency } = await findCollection(bus, { id: collection })
  for (const some of chunksOf(documents, concurrentTasks))
    await Promise.all(
      some.map((document) =>
        isSubscription(target)
          ? enqueueDelivery(env, { collection, document, subscription: target }, concurrency)
          : enqueueDocument(env, { collection, document }, concurrency),
      ),
    )
}

/** Continues the operations that are due, and deletes old ones. Called every minute. */
export async function sweepOperations(env: Env, now = new Date()): Promise<void> {
  const { db, operations } = open(env, schema)
  const { id, kind, next_at, ended_at } = operations
  const budget = sweepBudget()
  for (const [name, limit] of Object.entries(perSweep)) {
    const isDue = and(eq(kind, name), lte(next_at, now))
    const due = await db.select({ id }).from(operations).where(isDue).orderBy(asc(next_at)).limit(limit)
    for (const one of due) if (hasBudget(budget)) await runOperation(env, one.id, budget).catch(report)
  }
  await db.delete(operations).where(lt(ended_at, new Date(now.getTime() - retentionMs)))
}

const report = (error: unknown) => log('error', { component: 'bus', route: 'operation', ...describe(error) })
