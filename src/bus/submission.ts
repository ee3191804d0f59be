// The logic of `POST /document`: stores the document, then calls the handler or creates a task, by the type of the collection.
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import type { Env } from './bindings.ts'
import { requireAdministrator } from './callers.ts'
import { callHandler } from './calls.ts'
import { reserved, systemName } from './collections.ts'
import type { NewDocument } from './contract/documents.ts'
import { markUnqueued, takeUnqueued } from './handover.ts'
import { instanceName } from './instances.ts'
import { type AcceptedDocument, storeDocument } from './intake.ts'
import { type Bus, schema } from './schema.ts'
import { callSync } from './sync-calls.ts'
import { enqueueDelivery, enqueueDocument } from './tasks.ts'
import { syncCallDeadlineMs } from './timeouts.ts'

/** Accepts a document. sync: calls the handler while the sender waits. async: creates a task of the queue. storage: only stores it. */
export async function submitDocument(env: Env, ctx: ExecutionContext, hash: string, submitted: NewDocument) {
  const bus = open(env, schema)
  if (submitted.collection === systemName) {
    await requireAdministrator(bus, hash)
    throw reserved()
  }
  const stored = await storeDocument(bus, env, { ...submitted, hash, now: new Date() })
  const { id, event, uuid, data, webhook } = stored.document
  const document = { id, collection: submitted.collection, event, uuid, data, webhook }
  if (stored.collection.type === 'sync') return { document, response: await callHandlerNow(env, ctx, bus, stored) }
  await enqueueDeliveries(env, stored)
  if (stored.collection.type === 'async') await handToQueue(env, bus, stored)
  return { document }
}

/** Calls the handler. The call continues if the sender disconnects or gets 504, since a repeat of the document needs the outcome. */
async function callHandlerNow(env: Env, ctx: ExecutionContext, bus: Bus, stored: AcceptedDocument) {
  const source = { instance: await instanceName(bus), collection: stored.collection }
  const callNow = async () => {
    const { status_code, body, call } = await callHandler(env, source, stored.document, syncCallDeadlineMs)
    return { status_code, body, call }
  }
  const outcome = callSync(bus, stored, callNow, { keepAlive: (call) => ctx.waitUntil(call) })
  ctx.waitUntil(outcome.catch(() => undefined))
  return outcome
}

/** Creates the tasks of the deliveries to subscribers. If the queue does not accept one, the sweep creates it. */
async function enqueueDeliveries(env: Env, { collection, document, subscriptions }: AcceptedDocument): Promise<void> {
  const which = { collection: collection.id, document: document.id }
  const created = subscriptions.map((subscription) =>
    enqueueDelivery(env, { ...which, subscription }, collection.concurrency),
  )
  for (const { reason } of (await Promise.allSettled(created)).filter(
    ({ status }) => status === 'rejected',
  ) as PromiseRejectedResult[])
    if (!Failure.is(reason)) throw reason
}

/**
 * Creates the task of a new document in the queue. A repeat of the document creates a task only if the queue did not accept the first
 * one, so that repeats do not multiply tasks while the queue is behind.
 */
async function handToQueue(env: Env, bus: Bus, { collection, document, isNew }: AcceptedDocument) {
  const which = { collection: collection.id, document: document.id }
  if (!isNew && !(await takeUnqueued(bus, which, new Date()))) return
  try {
    await enqueueDocument(env, which, collection.concurrency)
  } catch (error) {
    await markUnqueued(bus, which)
    throw error
  }
}
