import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { requireAdministrator } from './callers.ts'
import { reserved, systemName } from './collections.ts'
import type { NewDocument } from './contract.ts'
import { forwardDocument } from './forwarding.ts'
import { callHandler } from './handler.ts'
import { markUnqueued, takeUnqueued } from './handover.ts'
import { instanceName } from './instance.ts'
import { type PostedDocument, postDocument } from './posting.ts'
import { type Bus, schema } from './schema.ts'
import { enqueueDocument } from './tasks.ts'

/** Takes a document: keeps it, forwards it while the caller waits, or hands it to the queue. */
export async function sendDocument(env: Env, ctx: ExecutionContext, hash: string, given: NewDocument) {
  const bus = open(env, schema)
  if (given.collection === systemName) {
    await requireAdministrator(bus, hash)
    throw reserved()
  }
  const posted = await postDocument(bus, env, { ...given, hash, now: new Date() })
  const { id, event, uuid, data, webhook } = posted.document
  const document = { id, collection: given.collection, event, uuid, data, webhook }
  if (posted.collection.type === 'sync') return { document, response: await forward(env, ctx, bus, posted) }
  if (posted.collection.type === 'async') await handToQueue(env, bus, posted)
  return { document }
}

/** Goes on where the caller gives up waiting: a repeat will want to know. */
async function forward(env: Env, ctx: ExecutionContext, bus: Bus, posted: PostedDocument) {
  const named = { instance: await instanceName(bus), collection: posted.collection }
  const outcome = forwardDocument(bus, posted, async () => {
    const { status_code, body } = await callHandler(env, named, posted.document)
    return { status_code, body }
  })
  ctx.waitUntil(outcome.catch(() => undefined))
  return outcome
}

/**
 * Gives a new document its task in the queue. A repeat gives it one only if the queue has not taken the first: how far the
 * queue is behind does not multiply the tasks.
 */
async function handToQueue(env: Env, bus: Bus, { collection, document, isNew }: PostedDocument) {
  const which = { collection: collection.id, document: document.id }
  if (!isNew && !(await takeUnqueued(bus, which, new Date()))) return
  try {
    await enqueueDocument(env, which)
  } catch (error) {
    await markUnqueued(bus, which)
    throw error
  }
}
