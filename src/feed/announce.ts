import { open } from '#core/db/open'
import type { UnvalidatedRequest } from '#core/http/declaration'
import { merge } from '#core/http/params'
import type { Told } from './audience.ts'
import type { Env } from './bindings.ts'
import { findCollection } from './collections.ts'
import { Listening } from './contract.ts'
import type { Shelf } from './filter.ts'
import { eventIdOf, newest } from './following.ts'
import { type Feed, schema } from './schema.ts'

/** The object of those who listen to a recipient. */
export const audienceOf = (env: Env, { id }: Pick<Shelf, 'id'>, recipient: string) =>
  env.AUDIENCE.getByName(`${id}/${recipient}`)

/** What was written, whose it is, and whether somebody may be listening. */
interface Written {
  id: number
  recipient: string
  is_heard: boolean
}

/** Notifies listeners of new records, after the reply. */
export const announceRecords = (env: Env, ctx: ExecutionContext, shelf: Shelf, added: Written[]) =>
  announce(env, ctx, shelf, added, (records) => ({ records, changes: [] }))

/** Notifies listeners of logged changes, after the reply. */
export const announceChanges = (env: Env, ctx: ExecutionContext, shelf: Shelf, logged: Written[]) =>
  announce(env, ctx, shelf, logged, (changes) => ({ records: [], changes }))

function announce(
  env: Env,
  ctx: ExecutionContext,
  shelf: Shelf,
  written: Written[],
  noticeOf: (ids: number[]) => Told,
) {
  const heard = Map.groupBy(
    written.filter(({ is_heard }) => is_heard),
    ({ recipient }) => recipient,
  )
  for (const [recipient, some] of heard) tell(env, ctx, shelf, recipient, noticeOf(some.map(({ id }) => id)))
}

const tell = (env: Env, ctx: ExecutionContext, shelf: Shelf, recipient: string, told: Told) =>
  ctx.waitUntil(audienceOf(env, shelf, recipient).tell({ collection_id: shelf.id, recipient }, told))

/** A token for a stream, and where to begin, so that who gets nothing at first misses nothing by coming again. */
export const issueToken = async (env: Env, feed: Feed, shelf: Shelf, recipient: string) => ({
  token: await audienceOf(env, shelf, recipient).issue(),
  expires_in: 60,
  last_event_id: eventIdOf(await newest(feed, shelf, recipient)),
})

/** Whether a request for a stream carries a token for it. */
export async function mayListen({ env, url }: UnvalidatedRequest<Env>): Promise<boolean> {
  const asked = Listening.safeParse(merge(Listening.shape, url.searchParams, {}, {}))
  if (!asked.success || asked.data.token === undefined) return false
  const id = await findCollection(open(env, schema), asked.data.collection)
  if (id === undefined) return false // As a wrong token: strangers learn no names.
  return audienceOf(env, { id }, asked.data.recipient).accepts(asked.data.token)
}
