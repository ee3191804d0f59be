import { type SQL, sql } from 'drizzle-orm'
import type { Bus } from './schema.ts'

export type Kind = 'client' | 'collection' | 'access'

/** The name of this instance, in SQL: random, made once for its database. */
const instanceOf = ({ settings }: Bus) => sql`(SELECT value FROM ${settings} WHERE name = 'instance')`

interface Change {
  kind: Kind
  is_deleted: boolean
  /** What has changed: rows of `client` and `collection`, names, empty where a kind has none. */
  what: SQL
}

/**
 * Writes down that something has changed here: a statement for a batch that began with `changesTurn`, and that stands
 * before the change itself, so that `what` finds what will be changed. A change goes to the end of the log and takes the
 * place of the one before it. Its time is after that one's even where another instance's clock is ahead of ours.
 */
export function logChange(bus: Bus, { kind, is_deleted, what }: Change, now: Date) {
  const { changes } = bus
  return bus.run(sql`
    INSERT INTO ${changes} (position, kind, client, collection, at, origin, is_deleted)
    SELECT ${endOf(bus)} + row_number() OVER (ORDER BY w.client, w.collection), ${sql.param(kind, changes.kind)},
      w.client, w.collection, ${now.getTime()}, ${instanceOf(bus)}, ${sql.param(is_deleted, changes.is_deleted)}
    FROM (${what}) w WHERE true
    ON CONFLICT (kind, client, collection) DO UPDATE SET
      position = excluded.position,
      at = CASE WHEN ${changes.at} < excluded.at THEN excluded.at ELSE ${changes.at} + 1 END,
      origin = excluded.origin,
      is_deleted = excluded.is_deleted
  `)
}

/**
 * The position in SQL after which the next change comes: the last one, or the time in milliseconds since 1970 if that is
 * later. It never goes back: a change moves, and is not removed. Where the database does, to a backup, the time has gone on,
 * and whoever has read further than the backup reaches does not miss what is written then.
 */
export function endOf({ changes }: Bus) {
  const now = Date.now()
  return sql`(SELECT CASE WHEN max(position) >= ${now} THEN max(position) ELSE ${now} END FROM ${changes})`
}
