import type * as z from 'zod'
import { open } from '#core/db/open'
import { readReplica } from '#core/db/replica'
import type { Env } from './bindings.ts'
import { requireAdministrator } from './callers.ts'
import { systemName } from './collections.ts'
import type { CountOf, DocumentInFull, DocumentOf, Listing } from './contract.ts'
import { countDocuments, type DocumentRow, findDocument, listDocuments, stateOf } from './documents.ts'
import { administratorOf, fetchLimitOf, isSystem } from './env.ts'
import { missing } from './errors.ts'
import { instanceName } from './instance.ts'
import { countChanges, listChanges } from './log.ts'
import { outcomeOf } from './outcome.ts'
import { findUsable } from './rights.ts'
import { type Bus, schema } from './schema.ts'

/** A list, which a replica may serve. */
export const readList = <T>(env: Env, read: (bus: Bus) => Promise<T>) => readReplica(env, schema, read)

/** A page of a collection for who may read it. */
export async function readPage(
  env: Env,
  hash: string,
  { collection: name, id, order, limit }: z.output<typeof Listing>,
) {
  // Who follows the log reads the last change that it knows again: one alone would be no news for ever.
  const most = Math.max(fetchLimitOf(env), name === systemName ? 2 : 1)
  const cursor = { id, limit: Math.min(limit ?? most, most) }
  if (name === systemName) return readLog(env, hash, (bus, builtin) => pageOfLog(bus, builtin, cursor))
  const collection = await findUsable(open(env, schema), hash, name, 'read')
  return readList(env, (bus) => listDocuments(bus, collection, { ...cursor, order }, new Date()))
}

async function pageOfLog(bus: Bus, builtin: string, cursor: { id: number; limit: number }) {
  return { documents: await listChanges(bus, builtin, cursor), instance: await instanceName(bus) }
}

/** How many documents of a collection come after an id, for who may read it. */
export async function readCount(env: Env, hash: string, { collection: name, id }: z.output<typeof CountOf>) {
  if (name === systemName) return readLog(env, hash, (bus, builtin) => countChanges(bus, builtin, { id }))
  const collection = await findUsable(open(env, schema), hash, name, 'read')
  return readList(env, (bus) => countDocuments(bus, collection, { id }))
}

/**
 * Reads the log for an administrator, if the instance is one of a system: from the primary, since another instance would take
 * a replica that lags for a log that went back to a backup, and read all of it again.
 */
async function readLog<T>(env: Env, hash: string, read: (bus: Bus, builtin: string) => Promise<T>): Promise<T> {
  const bus = open(env, schema)
  await requireAdministrator(bus, hash)
  if (!isSystem(env)) throw missing('collection', { name: systemName })
  return read(bus, administratorOf(env).name)
}

/** A document for who may read it, with how far it is. */
export async function readDocument(env: Env, hash: string, { collection: name, id }: z.output<typeof DocumentOf>) {
  if (name === systemName) return readLog(env, hash, (bus, builtin) => findChange(bus, builtin, id))
  const bus = open(env, schema)
  const collection = await findUsable(bus, hash, name, 'read')
  return inFull(name, await findDocument(bus, collection, id), new Date())
}

/** A change as a document in full: one that is only kept. */
async function findChange(bus: Bus, builtin: string, id: number): Promise<z.output<typeof DocumentInFull>> {
  const [change] = await listChanges(bus, builtin, { id: id - 1, limit: 1 })
  if (change?.id !== id) throw missing('document', { id })
  const { at }: { at: number } = JSON.parse(change.data)
  const never = { webhook: null, webhook_status: null, response: null, answered_at: null, delivered_at: null }
  const kept = { ...never, state: null, attempts: 0, webhook_attempts: 0, next_at: null }
  return { ...change, ...kept, collection: systemName, created_at: new Date(at) }
}

/** A document as it is shown with how far it is. */
export function inFull(collection: string, row: DocumentRow, now: Date): z.output<typeof DocumentInFull> {
  const { status_code: _, body: __, holder: ___, lease_until, state, next_at, ...shown } = row
  return {
    ...shown,
    // One that the queue has not taken has been due since it came.
    next_at: next_at && next_at < row.created_at ? row.created_at : next_at,
    collection,
    state: stateOf({ lease_until, state }, now),
    response: outcomeOf(row) ?? null,
  }
}
