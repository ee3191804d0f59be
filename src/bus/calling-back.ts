import { and, asc, eq, gt, ne } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { circuitColumns, forgetCircuits, isOf } from './circuit.ts'
import { forgetConflicts } from './conflicts.ts'
import type { Callback } from './contract.ts'
import { deliverDocument, replayDocument } from './delivery.ts'
import { findDocument } from './documents.ts'
import { callHandler, callWebhook } from './handler.ts'
import { takeStuck } from './handover.ts'
import { instanceName } from './instance.ts'
import { isTableGone } from './missing-table.ts'
import { inFull } from './reading.ts'
import { findUsable } from './rights.ts'
import { type Bus, schema } from './schema.ts'
import { dueSince, enqueueDocument } from './tasks.ts'

/** Does what is due of a document, when the queue comes back to it; nothing of what was deleted meanwhile. */
export async function deliver(env: Env, which: Callback): Promise<void> {
  const bus = open(env, schema)
  const { db, collections, circuits } = bus
  const { id, name, handler } = collections
  const [found] = await db
    .select({ id, name, handler, circuit: circuitColumns(circuits) })
    .from(collections)
    .leftJoin(circuits, isOf(bus, { collection: which.collection, origin: '' }))
    .where(eq(id, which.collection))
  if (!found) return
  const { circuit, ...collection } = found
  const named = { instance: await instanceName(bus), collection }
  const errands = {
    callHandler: callHandler.bind(undefined, env, named),
    callWebhook: callWebhook.bind(undefined, env, named),
    comeBack: (delay: number) => enqueueDocument(env, which, delay),
  }
  await deliverDocument(bus, which, circuit ?? undefined, errands).catch((error: unknown) => {
    if (!isTableGone(error)) throw error
  })
}

/** Delivers an async document again, for who may write. */
export async function replay(env: Env, hash: string, { collection: name, id }: { collection: string; id: number }) {
  const bus = open(env, schema)
  const collection = await findUsable(bus, hash, name, 'write')
  await replayDocument(bus, { collection: collection.id, document: id }, new Date())
  await enqueueDocument(env, { collection: collection.id, document: id })
  return inFull(name, await findDocument(bus, collection, id), new Date())
}

/** What one sweep does at the most: each is a query or a request, of which there may be a thousand. */
const most = { collections: 200, tasks: 500 }

/** How many tasks are made at a time. */
const atOnce = 20

/**
 * Hands over again what is overdue: its task was never made, or was given up. A sweep goes on where the one before it
 * stopped, and past a collection that fails.
 */
export async function sweepDocuments(env: Env, { collections, tasks } = most): Promise<void> {
  const bus = open(env, schema)
  const chosen = await nextCollections(bus, collections)
  let line: Promise<Date> | undefined
  const inLineSince = () => (line ??= dueSince(env))
  let left = tasks
  let last = 0
  for (const collection of chosen) {
    const stuck = await takeStuck(bus, collection, left, inLineSince).catch(gone)
    await handOver(env, collection, stuck).catch(report)
    left -= stuck.length
    last = collection
    if (left === 0) break
  }
  await bus.db.batch([forgetCircuits(bus, new Date()), forgetConflicts(bus)])
  const isAtEnd = chosen.length < collections && last === (chosen.at(-1) ?? 0)
  await stopAfter(bus, isAtEnd ? 0 : last)
}

async function handOver(env: Env, collection: number, stuck: number[]): Promise<void> {
  for (const documents of chunksOf(stuck, atOnce))
    await Promise.all(documents.map((document) => enqueueDocument(env, { collection, document })))
}

/** Of a queue that does not answer nobody knows what it still has: the sweep ends. */
function gone(error: unknown): number[] {
  if (Failure.is(error)) throw error
  if (!isTableGone(error)) report(error)
  return []
}

const report = (error: unknown) => log('error', { component: 'bus', route: 'sweep', ...describe(error) })

/** The setting that says after which collection the last sweep stopped. */
const swept = 'swept'

async function nextCollections({ db, collections, settings }: Bus, limit: number): Promise<number[]> {
  const { id, is_ready } = collections
  const [last] = await db.select().from(settings).where(eq(settings.name, swept))
  const page = await db
    .select({ id })
    .from(collections)
    .where(and(gt(id, Number(last?.value ?? 0)), eq(is_ready, true)))
    .orderBy(asc(id))
    .limit(limit)
  return page.map((row) => row.id)
}

/** It is seldom another one, and then nothing is written. */
async function stopAfter({ db, settings }: Bus, collection: number): Promise<void> {
  const value = String(collection)
  await db
    .insert(settings)
    .values({ name: swept, value })
    .onConflictDoUpdate({ target: settings.name, set: { value }, setWhere: ne(settings.value, value) })
}
