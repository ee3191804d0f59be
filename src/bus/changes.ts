import { type SQL, sql } from 'drizzle-orm'
import type { Bus } from './schema.ts'

type Kind = 'client' | 'collection' | 'access'

/** The name of this instance, in SQL: random, made once for its database. */
export const instanceOf = ({ settings }: Bus) => sql`(SELECT value FROM ${settings} WHERE name = 'instance')`

interface Change {
  kind: Kind
  is_deleted: boolean
  /** Whether a client or collection is created: what was granted under its name before is void. */
  isCreated?: boolean
  /** What has changed: rows of `client` and `collection`, names, empty where a kind has none. */
  what: SQL
}

/**
 * Logs a change that is made here: a statement for a batch that began with `changesTurn`. It stands before the change itself,
 * so that `what` finds what will be changed. A change goes to the end of the log and takes the place of the one before it.
 * Its time is later than that one's even if another instance's clock is ahead of ours, and a grant's is not earlier than
 * the creation of its client and its collection.
 */
export function logChange(bus: Bus, change: Change, now: Date) {
  const { changes } = bus
  const { kind, is_deleted, what } = change
  const at = timeOf(bus, change, now)
  const laterAt = sql`CASE WHEN ${changes.at} < excluded.at THEN excluded.at ELSE ${changes.at} + 1 END`
  return bus.run(sql`
    INSERT INTO ${changes} (position, kind, client, collection, at, origin, is_deleted, since, seen)
    SELECT ${endOf(bus)} + row_number() OVER (ORDER BY w.client, w.collection), ${sql.param(kind, changes.kind)},
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
  if (kind !== 'access' || is_deleted) return nowMs
  const since = sql`(SELECT max(g.since) FROM ${changes} g
    WHERE (g.kind = 'client' AND g.client = w.client) OR (g.kind = 'collection' AND g.collection = w.collection))`
  return sql`${sql.raw(dialect === 'd1' ? 'max' : 'greatest')}(COALESCE(${since}, 0), ${nowMs})`
}

/** From when on grants on a name count: from its creation, or from after its deletion. */
function sinceOf({ kind, is_deleted, isCreated }: Change, at: SQL, before: SQL): SQL {
  if (kind === 'access') return before
  if (is_deleted) return sql`${at} + 1`
  return isCreated ? at : before
}

/** A version vector of one instance, as JSON in SQL. */
const stampJson = ({ dialect }: Bus, origin: SQL, at: SQL) =>
  dialect === 'd1'
    ? sql`json_object(${origin}, CAST(${at} AS bigint))`
    : sql`CAST(jsonb_build_object(${origin}, ${at}) AS text)`

/** JSON objects in SQL, of which the later one's keys count. */
const mergeJson = ({ dialect }: Bus, ...objects: SQL[]) =>
  dialect === 'd1'
    ? objects.reduce((one, other) => sql`json_patch(${one}, ${other})`)
    : sql`CAST(${sql.join(
        objects.map((object) => sql`CAST(${object} AS jsonb)`),
        sql` || `,
      )} AS text)`

/** Deletes access that was granted on an earlier client or collection of the same name: a statement for a batch. */
export const deleteVoidAccess = ({ run, accesses, changes }: Bus, kind: 'client' | 'collection', name: string) =>
  run(sql`
    DELETE FROM ${accesses} WHERE ${sql.identifier(kind)} = ${name} AND EXISTS (
      SELECT 1 FROM ${changes} grant_, ${changes} named
      WHERE grant_.kind = 'access' AND grant_.client = ${accesses.client} AND grant_.collection = ${accesses.collection}
      AND named.kind = ${kind} AND named.${sql.identifier(kind)} = ${name} AND grant_.at < named.since)`)

/**
 * The position in SQL after which the next change comes: the last one, or the time in milliseconds since 1970 if that is
 * later. It never goes back: a change moves, and is not removed. Where the database does, to a backup, the time has gone on,
 * and whoever has read further than the backup reaches does not miss what is written then.
 */
export function endOf({ changes }: Bus) {
  const now = Date.now()
  return sql`(SELECT CASE WHEN max(position) >= ${now} THEN max(position) ELSE ${now} END FROM ${changes})`
}
