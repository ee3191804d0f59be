// Pages and counts of a collection for users with read access. The collection `system` is the replication log.
import type * as z from 'zod'
import { open } from '#core/db/open'
import { readReplica } from '#core/db/replica'
import { listAttempts } from './attempts.ts'
import type { Env } from './bindings.ts'
import { requireAdministrator } from './callers.ts'
import { systemName } from './collections.ts'
import type { AttemptsOf } from './contract/attempts.ts'
import type { CountOf, DocumentDetails, DocumentOf, Listing } from './contract/documents.ts'
import { listDeliveries } from './deliveries.ts'
import { countDocuments, type DocumentRow, findDocument, listDocuments, stateOf } from './documents.ts'
import { administratorOf, fetchLimitOf, isSystem } from './env.ts'
import { missing } from './errors.ts'
import { instanceName } from './instances.ts'
import { outcomeOf } from './outcome.ts'
import { countChanges, listChanges } from './replication-log.ts'
import { findCollectionFor } from './rights.ts'
import { type Bus, schema } from './schema.ts'

/** Runs the query of a list on a read replica, if one is configured, to relieve the primary database. */
export const readList = <T>(env: Env, read: (bus: Bus) => Promise<T>) => readReplica(env, schema, read)

/** A page of a collection, for a user with read access. */
export async function readPage(
  env: Env,
  hash: string,
  { collection: name, id, order, state, limit }: z.output<typeof Listing>,
) {
  // Another instance reads the log from the last entry that it knows. A page of one entry would be that entry forever: at least two.
  const maxLimit = Math.max(fetchLimitOf(env), name === systemName ? 2 : 1)
  const cursor = { id, limit: Math.min(limit ?? maxLimit, maxLimit) }
  if (name === systemName) return readLog(env, hash, (bus, builtin) => pageOfLog(bus, builtin, cursor))
  const collection = await findCollectionFor(open(env, schema), hash, name, 'read')
  return readList(env, (bus) => listDocuments(bus, collection, { ...cursor, order, state }, new Date()))
}

async function pageOfLog(bus: Bus, builtin: string, cursor: { id: number; limit: number }) {
  return { documents: await listChanges(bus, builtin, cursor), instance: await instanceName(bus) }
}

/** The number of documents after an id, for a user with read access. */
export async function readCount(env: Env, hash: string, { collection: name, id }: z.output<typeof CountOf>) {
  if (name === systemName) return readLog(env, hash, (bus, builtin) => countChanges(bus, builtin, { id }))
  const collection = await findCollectionFor(open(env, schema), hash, name, 'read')
  return readList(env, (bus) => countDocuments(bus, collection, { id }))
}

/**
 * Reads the replication log for an administrator; 404 unless `BOX_IS_SYSTEM`. Reads from the primary, since another instance would
 * mistake a lagging replica for a log that was restored from a backup, and read all of it again.
 */
async function readLog<T>(env: Env, hash: string, read: (bus: Bus, builtin: string) => Promise<T>): Promise<T> {
  const bus = open(env, schema)
  await requireAdministrator(bus, hash)
  if (!isSystem(env)) throw missing('collection', { name: systemName })
  return read(bus, administratorOf(env).name)
}

/** A document with its delivery state, for a user with read access. */
export async function readDocument(env: Env, hash: string, { collection: name, id }: z.output<typeof DocumentOf>) {
  if (name === systemName) return { document: await readLog(env, hash, (bus, builtin) => findChange(bus, builtin, id)) }
  const bus = open(env, schema)
  const collection = await findCollectionFor(bus, hash, name, 'read')
  return { document: await describeDocument(bus, collection, id, new Date()) }
}

/** The attempts of a document, for a user with read access. */
export async function readAttempts(env: Env, hash: string, { collection: name, ...of }: AttemptsOf) {
  const bus = open(env, schema)
  if (name === systemName) return readLog(env, hash, async () => [])
  return listAttempts(bus, await findCollectionFor(bus, hash, name, 'read'), of)
}

/** An entry of the replication log as a document of a storage collection. */
async function findChange(bus: Bus, builtin: string, id: number): Promise<z.output<typeof DocumentDetails>> {
  const [change] = await listChanges(bus, builtin, { id: id - 1, limit: 1 })
  if (change?.id !== id) throw missing('document', { id })
  const { at }: { at: number } = JSON.parse(change.data)
  const never = { webhook: null, webhook_status: null, response: null, answered_at: null, delivered_at: null }
  const stored = { ...never, state: null, attempts: 0, webhook_attempts: 0, next_at: null, subscriptions: [] }
  return { ...change, ...stored, collection: systemName, created_at: new Date(at) }
}

/** The public view of a document with its delivery state. */
export async function describeDocument(
  bus: Bus,
  { id: collection, name }: { id: number; name: string },
  id: number,
  now: Date,
): Promise<z.output<typeof DocumentDetails>> {
  const row = await findDocument(bus, { id: collection }, id)
  return { ...detailsOf(name, row, now), subscriptions: await listDeliveries(bus, collection, id, now) }
}

function detailsOf(collection: string, row: DocumentRow, now: Date) {
  const { status_code: _, body: __, holder: ___, lease_until, state, next_at, ...shown } = row
  return {
    ...shown,
    // `markUnqueued` sets `next_at` to 1970 if the queue did not accept the document. Such a document is due since its creation.
    next_at: next_at && next_at < row.created_at ? row.created_at : next_at,
    collection,
    state: stateOf({ lease_until, state }, now),
    response: outcomeOf(row) ?? null,
  }
}
