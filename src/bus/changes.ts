// Writes the replication log: changes of users, collections and access that are made here, for other instances to read.
import { type SQL, sql } from 'drizzle-orm'
import type { Bus } from './schema.ts'

type Kind = 'client' | 'collection' | 'access' | 'subscription'

/** Kinds of objects that belong to a collection: they are void if the collection was created again after them. */
const isDependent = (kind: Kind) => kind === 'access' || kind === 'subscription'

/** SQL: the name of this instance, which is random and generated once per database. */
export const instanceOf = ({ settings }: Bus) => sql`(SELECT value FROM ${settings} WHERE name = 'instance')`

interface Change {
  kind: Kind
  is_deleted: boolean
  /** Whether a client or collection is created: access that was granted to its name before is void. */
  isCreated?: boolean
  /** SQL query of the changed objects: rows of `client` and `collection`, which are names, or empty for kinds without one. */
  what: SQL
}

/**
 * Statement that logs a change made here, for a batch that began with `changeLogLock`. It must run before the change itself, so
 * that `what` finds the objects that will change. The entry goes to the end of the log and replaces the previous entry of the
 * object. Its time is a hybrid logical clock: later than the previous entry's even if the clock of another instance is ahead.
 * Granted access is not older than the creation of its client and its collection.
 */
export function logChange(bus: Bus, change: Change, now: Date) {
  const { changes } = bus
  const { kind, is_deleted, what } = change
  const at = timeOf(bus, change, now)
  const laterAt = sql`CASE WHEN ${changes.at} < excluded.at THEN excluded.at ELSE ${changes.at} + 1 END`
  return bus.run(sql`
    INSERT INTO ${changes} (position, kind, client, collection, at, origin, is_deleted, since, seen)
    SELECT ${lastPosition(bus)} + row_number() OVER (ORDER BY w.client, w.collection), ${sql.param(kind, changes.kind)},
      w.client, w.collection, ${at}, ${instanceOf(bus)}, ${sql.param(is_deleted, changes.is_deleted)},
      ${sinceOf(change, at, sql`0`)}, ${stampJson(bus, instanceOf(bus), at)}
    FROM (${what}) w WHERE true
    ON CONFLICT (kind, client, collection) DO UPDATE SET
      position = excluded.position,
      at = ${laterAt},
      origin = excluded.origin,
      is_deleted = excluded.is_deleted,
      since = ${sinceOf(change, laterAt, sql`${changes.since}`)},
      seen = ${mergeJson(bus, sql`${changes.seen}`, stampJson(bus, sql`${changes.origin}`, sql`${changes.at}`), stampJson(bus, sql`excluded.origin`, laterAt))}
  `)
}

function timeOf({ changes, dialect }: Bus, { kind, is_deleted }: Change, now: Date): SQL {
  const nowMs = sql`CAST(${now.getTime()} AS bigint)`
  if (!isDependent(kind) || is_deleted) return nowMs
  const since = sql`(SELECT max(g.since) FROM ${changes} g
    WHERE (g.kind = 'client' AND g.client = w.client) OR (g.kind = 'collection' AND g.collection = w.collection))`
  return sql`${sql.raw(dialect === 'd1' ? 'max' : 'greatest')}(COALESCE(${since}, 0), ${nowMs})`
}

/** Time from which access granted to a name is valid: its creation, or after its deletion. */
function sinceOf({ kind, is_deleted, isCreated }: Change, at: SQL, before: SQL): SQL {
  if (isDependent(kind)) return before
  if (is_deleted) return sql`${at} + 1`
  return isCreated ? at : before
}

/** SQL: a version vector with one instance, as JSON. */
const stampJson = ({ dialect }: Bus, origin: SQL, at: SQL) =>
  dialect === 'd1'
    ? sql`json_object(${origin}, CAST(${at} AS bigint))`
    : sql`CAST(jsonb_build_object(${origin}, ${at}) AS text)`

/** SQL: merged JSON objects; the keys of later ones win. */
const mergeJson = ({ dialect }: Bus, ...objects: SQL[]) =>
  dialect === 'd1'
    ? objects.reduce((one, other) => sql`json_patch(${one}, ${other})`)
    : sql`CAST(${sql.join(
        objects.map((object) => sql`CAST(${object} AS jsonb)`),
        sql` || `,
      )} AS text)`

/** Statement that deletes access granted to an earlier client or collection of the same name. */
export const deleteVoidAccess = ({ run, accesses, changes }: Bus, kind: 'client' | 'collection', name: string) =>
  run(sql`
    DELETE FROM ${accesses} WHERE ${sql.identifier(kind)} = ${name} AND EXISTS (
      SELECT 1 FROM ${changes} grant_, ${changes} named
      WHERE grant_.kind = 'access' AND grant_.client = ${accesses.client} AND grant_.collection = ${accesses.collection}
      AND named.kind = ${kind} AND named.${sql.identifier(kind)} = ${name} AND grant_.at < named.since)`)

/** Statement that deletes subscriptions to an earlier collection of the same name. */
export const deleteVoidSubscriptions = ({ run, subscriptions, changes }: Bus, name: string) =>
  run(sql`
    DELETE FROM ${subscriptions} WHERE collection = ${name} AND EXISTS (
      SELECT 1 FROM ${changes} own, ${changes} named
      WHERE own.kind = 'subscription' AND own.client = ${subscriptions.id} AND own.collection = ${name}
      AND named.kind = 'collection' AND named.collection = ${name} AND own.at < named.since)`)

/**
 * SQL: the last position of the log, or the time in milliseconds since 1970 if that is greater. The next change gets a greater
 * position. After the database is restored from a backup, the time is beyond all positions that other instances have read, so
 * they do not miss new changes.
 */
export function lastPosition({ changes }: Bus) {
  const now = Date.now()
  return sql`(SELECT CASE WHEN max(position) >= ${now} THEN max(position) ELSE ${now} END FROM ${changes})`
}
