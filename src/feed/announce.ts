import { z } from 'zod'
import { open } from '#core/db/open'
import type { Asked } from '#core/http/declaration'
import { merge } from '#core/http/params'
import type { Happened } from './audience.ts'
import { collectionId } from './collections.ts'
import { type AddedRecord, FeedRecord, Listening } from './contract.ts'
import type { Env } from './env.ts'
import type { Shelf } from './filter.ts'
import { schema } from './schema.ts'

/** The object of those who listen to a recipient. */
export const audienceOf = (env: Env, { id }: Pick<Shelf, 'id'>, recipient: string) =>
  env.AUDIENCE.getByName(`${id}/${recipient}`)

/** A record as listeners get it. */
export const recordEvent = (record: FeedRecord): Happened => ({
  event: 'record',
  id: record.id,
  data: JSON.stringify(z.encode(FeedRecord, record)),
})

interface Change {
  id: number
  record_id: number | null
  is_read: boolean
}

/** A change of read flags as listeners get it; without an id it is all that the recipient has. */
export const readEvent = ({ id, record_id, is_read }: Change): Happened => ({
  event: 'read',
  id,
  data: JSON.stringify({ id: record_id, is_read }),
})

type Added = z.output<typeof AddedRecord> & { is_heard: boolean }

/** Tells who listens of new records, after the reply. */
export function announceRecords(env: Env, ctx: ExecutionContext, shelf: Shelf, added: Added[]) {
  const heard = Map.groupBy(
    added.filter(({ is_heard }) => is_heard),
    ({ recipient }) => recipient,
  )
  for (const [recipient, records] of heard) {
    const happened = records.map((record) => recordEvent({ ...record, is_read: false }))
    tell(env, ctx, shelf, recipient, happened)
  }
}

/** Tells who listens of a change of read flags, after the reply. */
export function announce(
  env: Env,
  ctx: ExecutionContext,
  shelf: Shelf,
  change: Change & { recipient: string; is_heard: boolean },
) {
  if (change.is_heard) tell(env, ctx, shelf, change.recipient, [readEvent(change)])
}

const tell = (env: Env, ctx: ExecutionContext, shelf: Shelf, recipient: string, happened: Happened[]) =>
  ctx.waitUntil(audienceOf(env, shelf, recipient).tell({ collection_id: shelf.id, recipient }, happened))

export const issueToken = async (env: Env, shelf: Shelf, recipient: string) => ({
  token: await audienceOf(env, shelf, recipient).issue(),
  expires_in: 60,
})

/** Whether a request for a stream carries a token for it. */
export async function mayListen({ env, url }: Asked<Env>): Promise<boolean> {
  const asked = Listening.safeParse(merge(Listening.shape, url.searchParams, {}, {}))
  if (!asked.success || asked.data.token === undefined) return false
  const id = await collectionId(open(env, schema), asked.data.collection)
  return audienceOf(env, { id }, asked.data.recipient).accepts(asked.data.token)
}
