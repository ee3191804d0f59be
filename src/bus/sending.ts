import { open } from '#core/db/open'
import { requireAdministrator } from './callers.ts'
import { reserved, systemName } from './collections.ts'
import type { NewDocument } from './contract.ts'
import { findDocument } from './documents.ts'
import type { Env } from './env.ts'
import { forwardDocument } from './forwarding.ts'
import { callHandler } from './handler.ts'
import { instanceName } from './instance.ts'
import { type Posted, postDocument } from './posting.ts'
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
async function forward(env: Env, ctx: ExecutionContext, bus: Bus, posted: Posted) {
  const named = { instance: await instanceName(bus), collection: posted.collection }
  const outcome = forwardDocument(bus, posted, () => callHandler(env, named, posted.document))
  ctx.waitUntil(outcome.catch(() => undefined))
  return outcome
}

/** A repeat hands over again what is due, since its task may be lost; a second task for the same finds nothing to do. */
async function handToQueue(env: Env, bus: Bus, { collection, document, isNew }: Posted) {
  if (!isNew) {
    const { next_at } = await findDocument(bus, collection, document.id)
    if (next_at === null || next_at > new Date()) return
  }
  await enqueueDocument(env, { collection: collection.id, document: document.id })
}
