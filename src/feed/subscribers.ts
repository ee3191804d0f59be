// Calls the durable objects `Audience`: notifies subscribers of writes, subscribes a stream to a recipient, and issues and
// checks the tokens of streams.
import type { Credential } from '#core/access/credential'
import { isStillValid, type Validity, validityOf } from '#core/access/still-valid'
import { open } from '#core/db/open'
import type { UnvalidatedRequest } from '#core/http/declaration'
import { merge } from '#core/http/params'
import type { FeedNotice } from './audience.ts'
import type { Env } from './bindings.ts'
import { findCollection } from './collections.ts'
import type { CollectionTable } from './conditions.ts'
import { StreamParams } from './contract.ts'
import { type Feed, schema } from './schema.ts'
import { eventIdOf, newestPosition } from './stream-cursor.ts'

/** The durable object that has the subscribers of a recipient in a collection. */
const audienceOf = (env: Env, { id }: Pick<CollectionTable, 'id'>, recipient: string) =>
  env.AUDIENCE.getByName(`${id}/${recipient}`)

/** A new record, or a new row in the change log: its id, and whether its recipient may have subscribers. */
interface WrittenRow {
  id: number
  recipient: string
  has_listeners: boolean
}

type Deferring = Pick<ExecutionContext, 'waitUntil'>

/** Notifies subscribers of new records, after the reply is sent. */
export const notifyOfRecords = (env: Env, ctx: Deferring, table: CollectionTable, rows: WrittenRow[]) =>
  notify(env, ctx, table, rows, (records) => ({ records, changes: [] }))

/** Notifies subscribers of new rows in the change log, after the reply is sent. */
export const notifyOfChanges = (env: Env, ctx: Deferring, table: CollectionTable, rows: WrittenRow[]) =>
  notify(env, ctx, table, rows, (changes) => ({ records: [], changes }))

function notify(
  env: Env,
  ctx: Deferring,
  table: CollectionTable,
  rows: WrittenRow[],
  noticeOf: (ids: number[]) => FeedNotice,
) {
  const byRecipient = Map.groupBy(
    rows.filter(({ has_listeners }) => has_listeners),
    ({ recipient }) => recipient,
  )
  for (const [recipient, theirs] of byRecipient) {
    const notice = noticeOf(theirs.map(({ id }) => id))
    ctx.waitUntil(audienceOf(env, table, recipient).notify({ collection_id: table.id, recipient }, notice))
  }
}

/** Closes all streams of a recipient, and deletes the stored state of the object. */
export const closeStreams = (env: Env, table: Pick<CollectionTable, 'id'>, recipient: string): Promise<void> =>
  audienceOf(env, table, recipient).forget()

/** Subscribes to a recipient. Returns a WebSocket on which each `FeedNotice` arrives as JSON. */
export async function subscribe(env: Env, { id }: CollectionTable, recipient: string): Promise<WebSocket> {
  const url = `http://audience/?${new URLSearchParams({ collection_id: String(id), recipient })}`
  const { webSocket } = await audienceOf(env, { id }, recipient).fetch(url, { headers: { upgrade: 'websocket' } })
  if (!webSocket) throw new Error('The audience object opened no WebSocket')
  return webSocket
}

/**
 * Issues a token for a stream, which ends with the credential of the caller, with the event id at which the stream starts: a client that has received no event can still
 * resume from there.
 */
export const issueToken = async (
  env: Env,
  feed: Feed,
  table: CollectionTable,
  recipient: string,
  caller: Credential,
) => ({
  token: await audienceOf(env, table, recipient).issue(validityOf(caller)),
  expires_in: 60,
  last_event_id: eventIdOf(await newestPosition(feed, table, recipient)),
})

/** The credentials that requested the tokens of streams, by the request that opens the stream. */
const issuers = new WeakMap<Request, Validity>()

/** The credential with which a stream ends: that of the caller, or the one that requested the token of the stream. */
export const validityOfStream = (request: Request, caller: Credential | undefined): Validity | undefined =>
  caller ? validityOf(caller) : issuers.get(request)

/** Whether a request for a stream has a token that is valid for its collection and recipient. */
export async function hasStreamToken({ env, request, url }: UnvalidatedRequest<Env>): Promise<boolean> {
  const params = StreamParams.safeParse(merge(StreamParams.shape, url.searchParams, {}, {}))
  // Tokens of `access` are of another form. They are verified without reading the database or waking an object.
  if (!params.success || !/^[0-9a-f]{64}$/.test(params.data.token ?? '')) return false
  const id = await findCollection(open(env, schema), params.data.collection)
  // The reply is the same as for a wrong token, so that clients without access cannot find out the names of collections.
  if (id === undefined) return false
  const issuer = await audienceOf(env, { id }, params.data.recipient).issuerOf(params.data.token!)
  if (!issuer || !(await isStillValid(env, issuer))) return false
  issuers.set(request, issuer)
  return true
}
