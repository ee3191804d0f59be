// Reads the replication log as documents, for other instances. changes.ts writes the log.
import { and, asc, count, eq, gt, ne } from 'drizzle-orm'
import type { Bus } from './schema.ts'
import { hashOf } from './secrets.ts'

interface Cursor {
  /** Only changes after this position. */
  id: number
}

/**
 * The replication log as documents of the collection `system`: one entry per client, collection, access and subscription with its current
 * value, in the order of the last changes. The built-in administrator and its access are not in the log.
 */
export async function listChanges(bus: Bus, builtin: string, { id, limit }: Cursor & { limit: number }) {
  const { db, changes, clients, collections, accesses, subscriptions } = bus
  const rows = await db
    .select({
      change: changes,
      client: clients,
      collection: collections,
      level: accesses.level,
      subscription: subscriptions,
    })
    .from(changes)
    .leftJoin(clients, and(eq(changes.kind, 'client'), eq(clients.name, changes.client)))
    .leftJoin(collections, and(eq(changes.kind, 'collection'), eq(collections.name, changes.collection)))
    .leftJoin(
      accesses,
      and(eq(changes.kind, 'access'), eq(accesses.client, changes.client), eq(accesses.collection, changes.collection)),
    )
    .leftJoin(subscriptions, and(eq(changes.kind, 'subscription'), eq(subscriptions.id, changes.client)))
    .where(after(bus, builtin, id))
    .orderBy(asc(changes.position))
    .limit(limit)
  return Promise.all(rows.map(documentOf))
}

export async function countChanges(bus: Bus, builtin: string, { id }: Cursor): Promise<number> {
  const [total] = await bus.db
    .select({ n: count() })
    .from(bus.changes)
    .where(after(bus, builtin, id))
  return total!.n
}

const after = ({ changes }: Bus, builtin: string, id: number) =>
  and(gt(changes.position, id), ne(changes.client, builtin))

interface Row {
  change: Bus['changes']['$inferSelect']
  client: Bus['clients']['$inferSelect'] | null
  collection: Bus['collections']['$inferSelect'] | null
  level: string | null
  subscription: Bus['subscriptions']['$inferSelect'] | null
}

async function documentOf({ change, ...row }: Row) {
  const { position, kind, at, origin, is_deleted, since, seen } = change
  const named =
    kind === 'access'
      ? { client: change.client, collection: change.collection }
      : kind === 'subscription'
        ? { id: change.client, collection: change.collection }
        : { name: change.client || change.collection }
  const fields = is_deleted ? undefined : fieldsOf(row)
  return {
    id: position,
    event: kind,
    uuid: await uuidOf(`${kind}/${change.client}/${change.collection}/${at}/${origin}`),
    data: JSON.stringify({
      ...{ kind, ...named, ...fields, at, origin, is_deleted: fields === undefined },
      ...(since > 0 && { since }),
      ...(seen !== '{}' && { seen: JSON.parse(seen) }),
    }),
  }
}

/** The current fields of an object; undefined if it does not exist any more, which makes the entry a deletion. */
function fieldsOf({ client, collection, level, subscription }: Omit<Row, 'change'>) {
  if (client) {
    const { secret_hash, is_admin, is_disabled, description } = client
    return { secret_hash, is_admin, is_disabled, description }
  }
  if (collection) {
    const { type, handler, retention, concurrency, retry_rejected, secrets, is_disabled, description } = collection
    return { type, handler, retention, concurrency, retry_rejected, secrets, is_disabled, description }
  }
  if (subscription) {
    const { url, events, secrets, is_disabled, disabled_because } = subscription
    return { url, events, secrets, is_disabled, disabled_because }
  }
  return level === null ? undefined : { level }
}

/** A UUID of version 8 (RFC 9562) derived from a text, so that the same entry has the same uuid in each reply. */
async function uuidOf(text: string): Promise<string> {
  const hex = await hashOf(text)
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
