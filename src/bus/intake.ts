// Stores a submitted document after checks of user, access and collection. submission.ts then delivers it.
import { sql } from 'drizzle-orm'
import { isTableGone } from '#core/db/missing-table'
import { rowsOf } from '#core/db/open'
import { invalid } from '#core/failure'
import { objectionTo } from '#core/outgoing/url'
import type { Env } from './bindings.ts'
import type { NewDocument } from './contract/documents.ts'
import { createDeliveries } from './deliveries.ts'
import { type DocumentRow, findByUuid } from './documents.ts'
import { backUrlOf } from './env.ts'
import { failure } from './errors.ts'
import { insertWhere } from './insert-where.ts'
import { lockForBatch } from './lock.ts'
import { findCollectionFor, mayWrite, type UsableCollection } from './rights.ts'
import { isSameJson } from './same-json.ts'
import { type Bus, type Documents, documentsOf } from './schema.ts'
import { leased } from './sync-calls.ts'

/** A stored document with its collection. */
export interface AcceptedDocument {
  collection: UsableCollection
  document: Pick<DocumentRow, 'id' | 'event' | 'uuid' | 'data' | 'webhook'>
  /** Whether this request created the document, rather than an earlier one with the same uuid. */
  isNew: boolean
  /** The holder and the end of the lease of a new document in a sync collection. */
  holder: string
  lease: Date | null
  /** Ids of the subscriptions that get a new document. */
  subscriptions: string[]
}

interface Submission extends NewDocument {
  hash: string
  now: Date
}

// Cache of collections by name. The statement that inserts a document checks the collection again, so a stale entry does no harm.
const known = new WeakMap<Bus, Map<string, UsableCollection>>()

/**
 * Stores a document for a user with write access; returns the existing document if the uuid is known. Usually this is one
 * statement, which checks user, access and collection. Only if it inserts nothing, further queries find the reason.
 */
export async function storeDocument(bus: Bus, env: Env, submission: Submission): Promise<AcceptedDocument> {
  const usable = known.get(bus) ?? new Map<string, UsableCollection>()
  known.set(bus, usable)
  const { hash, collection: name } = submission
  const cached = usable.get(name)
  const stored = cached && (await storeIn(bus, env, cached, submission, 'cached'))
  if (stored) return stored
  for (let tries = 0; tries < maxTries; tries++) {
    const collection = await findCollectionFor(bus, hash, name, 'write')
    usable.set(name, collection)
    const stored = await storeIn(bus, env, collection, submission, 'read')
    if (stored) return stored
  }
  throw new Error('A document could be neither stored nor found')
}

/** A collection may change between the query that finds it and the insert: then both run again, but not forever. */
const maxTries = 3

/** Stores a document in a collection. Undefined if the collection has changed, or if a cached one would cause an error: it may be stale. */
async function storeIn(
  bus: Bus,
  env: Env,
  collection: UsableCollection,
  { hash, now, ...submitted }: Submission,
  source: 'cached' | 'read',
): Promise<AcceptedDocument | undefined> {
  // Throws 503 if no address for the callback is configured, since the queue could not deliver the document.
  if (collection.type === 'async') backUrlOf(env)
  const webhook = collection.type === 'async' ? (submitted.webhook ?? null) : null
  const objection = collection.type === 'async' && objectionToWebhook(env, submitted.webhook)
  const document = { event: submitted.event, uuid: submitted.uuid, data: submitted.data, webhook }
  const holder = crypto.randomUUID()
  const initial = initialColumns(collection, holder, now)
  const added = objection ? undefined : await insertDocument(bus, hash, collection, { ...document, ...initial })
  if (added) {
    const { id, handler, concurrency, secrets, subscriptions } = added
    const lease = initial.lease_until ?? null
    return {
      collection: { ...collection, handler, concurrency, secrets },
      document: { id, ...document },
      isNew: true,
      holder,
      lease,
      subscriptions,
    }
  }
  if (source === 'cached') return undefined
  const before = await findByUuid(bus, collection, submitted.uuid)
  const isOther = (before: DocumentRow) =>
    before.event !== submitted.event || before.webhook !== webhook || !isSameJson(before.data, submitted.data)
  if (before && isOther(before)) throw failure('uuid_taken')
  if (before) return { collection, document: before, isNew: false, holder, lease: null, subscriptions: [] }
  if (objection) throw invalid('webhook', objection)
  if (collection.is_disabled) throw failure('collection_disabled')
  return undefined
}

const objectionToWebhook = (env: Env, webhook: string | undefined) =>
  webhook ? objectionTo(webhook, env) : 'Is required for a collection of the type async'

type InitialColumns = Omit<Documents['$inferInsert'], 'event' | 'uuid' | 'data' | 'webhook'>

/**
 * Initial columns by type. `storage`: no state. `async`: due now, so that the queue's task may deliver the document. `sync`: leased by
 * this request, which calls the handler; a repeat of the request waits for the outcome.
 */
function initialColumns({ type }: UsableCollection, holder: string, now: Date): InitialColumns {
  const initial = { created_at: now, attempts: 0, webhook_attempts: 0 }
  if (type === 'storage') return initial
  if (type === 'async') return { ...initial, state: 'waiting', next_at: now }
  return { ...initial, ...leased(holder) }
}

/** The new document, and settings of its collection that may have changed since it was cached. Postgres returns numbers as text. */
interface AddedRow {
  id: number | string
  handler: string | null
  concurrency: number | string | null
  secrets: string
}

/** Inserts a document, and its deliveries to the subscribers. Undefined if the user may not, or the uuid is known. */
async function insertDocument(bus: Bus, hash: string, collection: UsableCollection, row: Documents['$inferInsert']) {
  const documents = documentsOf(bus, collection.id)
  const setting = (name: string) =>
    sql`(SELECT ${sql.identifier(name)} FROM ${bus.collections} WHERE id = ${collection.id}) AS ${sql.identifier(name)}`
  const insert = bus.run(sql`
    ${insertWhere(documents, row, mayWrite(bus, hash, collection))} ON CONFLICT (uuid) DO NOTHING
    RETURNING id, ${setting('handler')}, ${setting('concurrency')}, ${setting('secrets')}`)
  const deliver = collection.type === 'sync' ? [] : [createDeliveries(bus, collection, row.uuid, row.created_at)]
  try {
    const [, result, delivered] = await bus.db.batch([lockForBatch(bus, collection.id), insert, ...deliver])
    const [added] = rowsOf<AddedRow>(result)
    if (!added) return undefined
    const concurrency = added.concurrency === null ? null : Number(added.concurrency)
    const subscriptions = rowsOf<{ subscription: string }>(delivered ?? {}).map(({ subscription }) => subscription)
    return { ...added, id: Number(added.id), concurrency, subscriptions }
  } catch (error) {
    if (isTableGone(error)) return undefined
    throw error
  }
}
