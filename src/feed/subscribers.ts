// Calls the durable objects `Audience`: notifies subscribers, issues and checks stream tokens, and subscribes to a recipient.
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

/** The object that has the subscribers of a recipient. */
const audienceOf = (env: Env, { id }: Pick<CollectionTable, 'id'>, recipient: string) =>
  env.AUDIENCE.getByName(`${id}/${recipient}`)

/** The id of a new record or of a row in the change log, and whether its recipient may have subscribers. */
interface WrittenRow {
  id: number
  recipient: string
  has_listeners: boolean
}

/** Notifies subscribers of new records, after the reply. */
export const notifyOfRecords = (env: Env, ctx: ExecutionContext, table: CollectionTable, rows: WrittenRow[]) =>
  notify(env, ctx, table, rows, (records) => ({ records, changes: [] }))

/** Notifies subscribers of new rows in the change log, after the reply. */
export const notifyOfChanges = (env: Env, ctx: ExecutionContext, table: CollectionTable, rows: WrittenRow[]) =>
  notify(env, ctx, table, rows, (changes) => ({ records: [], changes }))

function notify(
  env: Env,
  ctx: ExecutionContext,
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

/** Subscribes to a recipient: a WebSocket that gets each `FeedNotice` as JSON. */
export async function subscribe(env: Env, { id }: CollectionTable, recipient: string): Promise<WebSocket> {
  const url = `http://audience/?${new URLSearchParams({ collection_id: String(id), recipient })}`
  const { webSocket } = await audienceOf(env, { id }, recipient).fetch(url, { headers: { upgrade: 'websocket' } })
  if (!webSocket) throw new Error('The audience object opened no WebSocket')
  return webSocket
}

/** Issues a token for a stream, with the event id to start from: a client that gets no event can still resume. */
export const issueToken = async (env: Env, feed: Feed, table: CollectionTable, recipient: string) => ({
  token: await audienceOf(env, table, recipient).issue(),
  expires_in: 60,
  last_event_id: eventIdOf(await newestPosition(feed, table, recipient)),
})

/** Whether a request for a stream has a valid token for it. */
export async function hasStreamToken({ env, url }: UnvalidatedRequest<Env>): Promise<boolean> {
  const params = StreamParams.safeParse(merge(StreamParams.shape, url.searchParams, {}, {}))
  if (!params.success || params.data.token === undefined) return false
  const id = await findCollection(open(env, schema), params.data.collection)
  // The same reply as for a wrong token, so that clients without access cannot find out the names of collections.
  if (id === undefined) return false
  return audienceOf(env, { id }, params.data.recipient).accepts(params.data.token)
}
