// Handles the queue's callbacks, each of which delivers one due document. Also replays documents and sweeps lost ones.
import { and, asc, eq, gt, ne } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import { isTableGone } from '#core/db/missing-table'
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { callHandler, callWebhook } from './calls.ts'
import { circuitColumns, deleteIdleCircuits, isOf } from './circuit.ts'
import { deleteOldConflicts } from './conflicts.ts'
import type { Callback } from './contract/documents.ts'
import { type DeliveryKey, takeStuckDeliveries } from './deliveries.ts'
import { deliverDocument } from './delivery.ts'
import type { DocumentRow } from './documents.ts'
import { takeStuck } from './handover.ts'
import { instanceName } from './instances.ts'
import { describeDocument } from './queries.ts'
import { replayDocument } from './replays.ts'
import { findCollectionFor } from './rights.ts'
import { type Bus, schema } from './schema.ts'
import { deliverToSubscriber } from './subscriber-delivery.ts'
import { enqueueDelivery, enqueueDocument, oldestTaskDueAt } from './tasks.ts'

/** Delivers a due document, when the queue calls back. Does nothing if the document or its collection was deleted meanwhile. */
export async function deliver(env: Env, { subscription, ...which }: Callback): Promise<void> {
  if (subscription) return deliverToSubscriber(env, { ...which, subscription }).catch(ignoreDeleted)
  const bus = open(env, schema)
  const { db, collections, circuits } = bus
  const { id, name, handler, concurrency, retry_rejected, secrets } = collections
  const [found] = await db
    .select({ id, name, handler, concurrency, retry_rejected, secrets, circuit: circuitColumns(circuits) })
    .from(collections)
    .leftJoin(circuits, isOf(bus, { collection: which.collection, origin: '' }))
    .where(eq(id, which.collection))
  if (!found) return
  const { circuit, retry_rejected: retriesRejected, ...collection } = found
  const source = { instance: await instanceName(bus), collection }
  const actions = {
    callHandler: (document: DocumentRow) => callHandler(env, source, document),
    callWebhook: callWebhook.bind(undefined, env, source),
    enqueue: (delay: number) => enqueueDocument(env, which, found.concurrency, delay),
  }
  const policy = { circuit: circuit ?? undefined, retriesRejected }
  await deliverDocument(bus, which, policy, actions).catch(ignoreDeleted)
}

/** The collection was deleted meanwhile. */
function ignoreDeleted(error: unknown): void {
  if (!isTableGone(error)) throw error
}

/** Replays an async document for a user with write access. */
export async function replay(env: Env, hash: string, { collection: name, id }: { collection: string; id: number }) {
  const bus = open(env, schema)
  const collection = await findCollectionFor(bus, hash, name, 'write')
  await replayDocument(bus, { collection: collection.id, document: id }, new Date())
  await enqueueDocument(env, { collection: collection.id, document: id }, collection.concurrency)
  return describeDocument(bus, collection, id, new Date())
}

/** Limits of one sweep. Each collection is a query and each task a subrequest, of which the platform allows an invocation 1000. */
const sweepLimits = { collections: 200, tasks: 500 }

/** Number of tasks that the sweep creates in the queue concurrently. */
const concurrentTasks = 20

/**
 * Creates new tasks for overdue documents, whose task was never created or was given up. A sweep continues with the collection
 * after the one where the previous sweep stopped, and skips collections that fail.
 */
export async function sweepDocuments(env: Env, { collections, tasks } = sweepLimits): Promise<void> {
  const bus = open(env, schema)
  const chosen = await nextCollections(bus, collections)
  let oldestDue: Promise<Date> | undefined
  const oldestTaskDue = () => (oldestDue ??= oldestTaskDueAt(env))
  let left = tasks
  let last = 0
  for (const collection of chosen) {
    const stuck = await takeStuck(bus, collection.id, left, oldestTaskDue).catch(skipCollection)
    await handOver(env, collection, stuck).catch(report)
    left -= stuck.length
    last = collection.id
    if (left === 0) break
  }
  for (const stuck of chunksOf(await takeStuckDeliveries(bus, left, oldestTaskDue).catch(noneOf), concurrentTasks))
    await Promise.all(stuck.map((which) => enqueueDelivery(env, which, null))).catch(report)
  await bus.db.batch([deleteIdleCircuits(bus, new Date()), deleteOldConflicts(bus)])
  const isAtEnd = chosen.length < collections && last === (chosen.at(-1)?.id ?? 0)
  await stopAfter(bus, isAtEnd ? 0 : last)
}

interface SweptCollection {
  id: number
  concurrency: number | null
}

async function handOver(env: Env, { id: collection, concurrency }: SweptCollection, stuck: number[]): Promise<void> {
  for (const documents of chunksOf(stuck, concurrentTasks))
    await Promise.all(documents.map((document) => enqueueDocument(env, { collection, document }, concurrency)))
}

/** If the queue does not answer, its pending tasks are unknown: the sweep ends with the error. Other errors skip the collection. */
function skipCollection(error: unknown): number[] {
  if (Failure.is(error)) throw error
  if (!isTableGone(error)) report(error)
  return []
}

function noneOf(error: unknown): DeliveryKey[] {
  report(error)
  return []
}

const report = (error: unknown) => log('error', { component: 'bus', route: 'sweep', ...describe(error) })

/** The setting with the id of the collection after which the next sweep starts. */
const swept = 'swept'

async function nextCollections({ db, collections, settings }: Bus, limit: number): Promise<SweptCollection[]> {
  const { id, concurrency, is_ready } = collections
  const [last] = await db.select().from(settings).where(eq(settings.name, swept))
  return db
    .select({ id, concurrency })
    .from(collections)
    .where(and(gt(id, Number(last?.value ?? 0)), eq(is_ready, true)))
    .orderBy(asc(id))
    .limit(limit)
}

/** Stores the id of the collection after which the next sweep starts. Writes only if the id changes: mostly, one sweep reaches all. */
async function stopAfter({ db, settings }: Bus, collection: number): Promise<void> {
  const value = String(collection)
  await db
    .insert(settings)
    .values({ name: swept, value })
    .onConflictDoUpdate({ target: settings.name, set: { value }, setWhere: ne(settings.value, value) })
}
