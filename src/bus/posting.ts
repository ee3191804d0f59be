import { sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import { invalid } from '#core/failure'
import { objectionTo } from '#core/outgoing/url'
import type { Env } from './bindings.ts'
import type { NewDocument } from './contract.ts'
import { type DocumentRow, findByUuid } from './documents.ts'
import { backUrlOf } from './env.ts'
import { failure } from './errors.ts'
import { held } from './forwarding.ts'
import { insertWhere } from './insert-where.ts'
import { isTableGone } from './missing-table.ts'
import { findUsable, mayWrite, type Usable } from './rights.ts'
import { isSameJson } from './same-json.ts'
import { type Bus, type Documents, documentsOf } from './schema.ts'
import { takeTurn } from './turn.ts'

/** A document as it was posted, in its collection. */
export interface PostedDocument {
  collection: Usable
  document: Pick<DocumentRow, 'id' | 'event' | 'uuid' | 'data' | 'webhook'>
  /** Whether it came with this request, not with one before. */
  isNew: boolean
  /** Who is at a new document of a sync collection: this request, and until when. */
  holder: string
  lease: Date | null
}

interface Posting extends NewDocument {
  hash: string
  now: Date
}

// What was found once is checked again by the insert.
const known = new WeakMap<Bus, Map<string, Usable>>()

/**
 * Stores a document for who may write; where its uuid has come before, it is that document. The usual way is one
 * statement, which checks user, right and collection; only where it does nothing is it asked why.
 */
export async function postDocument(bus: Bus, env: Env, posting: Posting): Promise<PostedDocument> {
  const usable = known.get(bus) ?? new Map<string, Usable>()
  known.set(bus, usable)
  const { hash, collection: name } = posting
  const remembered = usable.get(name)
  const posted = remembered && (await postInto(bus, env, remembered, posting, 'remembered'))
  if (posted) return posted
  for (let tries = 0; tries < mostTries; tries++) {
    const collection = await findUsable(bus, hash, name, 'write')
    usable.set(name, collection)
    const posted = await postInto(bus, env, collection, posting, 'found')
    if (posted) return posted
  }
  throw new Error('A document could be neither stored nor found')
}

/** A collection may change between two statements, though hardly again and again. */
const mostTries = 3

/** Nothing where the collection is not as it was thought to be; one that is only remembered refuses nothing. */
async function postInto(
  bus: Bus,
  env: Env,
  collection: Usable,
  { hash, now, ...given }: Posting,
  how: 'remembered' | 'found',
): Promise<PostedDocument | undefined> {
  // What the queue could not come back to is not taken.
  if (collection.type === 'async') backUrlOf(env)
  const webhook = collection.type === 'async' ? (given.webhook ?? null) : null
  const objection = collection.type === 'async' && objectionToWebhook(env, given.webhook)
  const document = { event: given.event, uuid: given.uuid, data: given.data, webhook }
  const holder = crypto.randomUUID()
  const begun = beginning(collection, holder, now)
  const added = objection ? undefined : await insertDocument(bus, hash, collection, { ...document, ...begun })
  if (added) {
    const { id, handler } = added
    const lease = begun.lease_until ?? null
    return { collection: { ...collection, handler }, document: { id, ...document }, isNew: true, holder, lease }
  }
  if (how === 'remembered') return undefined
  const before = await findByUuid(bus, collection, given.uuid)
  const isOther = (before: DocumentRow) =>
    before.event !== given.event || before.webhook !== webhook || !isSameJson(before.data, given.data)
  if (before && isOther(before)) throw failure('uuid_taken')
  if (before) return { collection, document: before, isNew: false, holder, lease: null }
  if (objection) throw invalid('webhook', objection)
  if (collection.is_disabled) throw failure('collection_disabled')
  return undefined
}

const objectionToWebhook = (env: Env, webhook: string | undefined) =>
  webhook ? objectionTo(webhook, env) : 'Is required for a collection of type async'

type Begun = Omit<Documents['$inferInsert'], 'event' | 'uuid' | 'data' | 'webhook'>

/** How a document begins: it is kept, or due for the queue, or held by the request that calls the handler. */
function beginning({ type }: Usable, holder: string, now: Date): Begun {
  const begun = { created_at: now, attempts: 0, webhook_attempts: 0 }
  if (type === 'storage') return begun
  if (type === 'async') return { ...begun, state: 'waiting', next_at: now }
  return { ...begun, ...held(holder) }
}

async function insertDocument(bus: Bus, hash: string, collection: Usable, row: Documents['$inferInsert']) {
  const documents = documentsOf(bus, collection.id)
  const insert = bus.run(sql`
    ${insertWhere(documents, row, mayWrite(bus, hash, collection))} ON CONFLICT (uuid) DO NOTHING
    RETURNING id, (SELECT handler FROM ${bus.collections} WHERE id = ${collection.id}) AS handler`)
  try {
    const result = bus.dialect === 'd1' ? await insert : (await bus.db.batch([takeTurn(bus, collection.id), insert]))[1]
    const [added] = rowsOf<{ id: number | string; handler: string | null }>(result)
    return added && { ...added, id: Number(added.id) }
  } catch (error) {
    if (isTableGone(error)) return undefined
    throw error
  }
}
