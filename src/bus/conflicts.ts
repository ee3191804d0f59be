// Records replication conflicts: concurrent changes of one object on two instances, of which one replaces the other.
import { desc, type SQL, sql } from 'drizzle-orm'
import { parseJson } from '#core/http/json'
import { instanceOf } from './changes.ts'
import type { Conflict, LoggedChange } from './contract/replication.ts'
import type { Bus } from './schema.ts'

/** Maximum number of conflicts that `GET /synchronisation` lists, and that are stored. */
const maxListed = 100
const maxStored = 1_000

/**
 * Statement that records a conflict: a change of another instance replaces one that was made here and that the other instance had
 * not read when it made its own. It must run before the other writes of its batch, since it reads the value that they replace.
 * Changes to the same value are no conflict.
 */
export function recordConflict(bus: Bus, change: LoggedChange, isDue: SQL) {
  const { changes, clients, collections, accesses, subscriptions, conflicts } = bus
  const { kind, at, origin, seen = {} } = change
  const [client, collection] = namesOf(change)
  const seenHere = bus.dialect === 'd1' ? sql`json_extract(${json(seen)}, '$."' || known.origin || '"')` : seenIn(seen)
  // Earlier versions of the bus send no version vector, so it is unknown whether the change is concurrent: no conflict.
  const isConcurrent = change.seen ? sql`known.at > COALESCE(${seenHere}, 0)` : sql`false`
  const { replaced, isOther } = compare(bus, change)
  return bus.run(sql`
    INSERT INTO ${conflicts} (kind, client, collection, replaced_at, replaced, kept, kept_at, kept_origin, found_at)
    SELECT known.kind, known.client, known.collection, known.at,
      CASE WHEN known.is_deleted THEN ${json({ is_deleted: true })} ELSE ${replaced} END,
      ${json(keptOf(change))}, CAST(${at} AS bigint), CAST(${origin} AS text), ${sql.param(new Date(), conflicts.found_at)}
    FROM ${changes} known
    LEFT JOIN ${clients} c ON known.kind = 'client' AND c.name = known.client
    LEFT JOIN ${collections} k ON known.kind = 'collection' AND k.name = known.collection
    LEFT JOIN ${accesses} a ON known.kind = 'access' AND a.client = known.client AND a.collection = known.collection
    LEFT JOIN ${subscriptions} s ON known.kind = 'subscription' AND s.id = known.client
    WHERE known.kind = ${kind} AND known.client = ${client} AND known.collection = ${collection}
      AND known.origin = ${instanceOf(bus)} AND ${isConcurrent} AND ${isOther} AND ${isDue}
    ON CONFLICT DO NOTHING`)
}

function namesOf(change: LoggedChange): [client: string, collection: string] {
  if (change.kind === 'access') return [change.client, change.collection]
  if (change.kind === 'subscription') return [change.id, change.collection]
  return change.kind === 'client' ? [change.name, ''] : ['', change.name]
}

const json = (value: object) => sql`CAST(${JSON.stringify(value)} AS text)`

/** SQL: the time of this instance in a version vector. */
const seenIn = (seen: object) => sql`CAST(CAST(${json(seen)} AS jsonb) ->> known.origin AS bigint)`

/** The value of a change, without secrets. */
function keptOf(change: LoggedChange): object {
  if (change.is_deleted) return { is_deleted: true }
  if (change.kind === 'access') return { level: change.level }
  if (change.kind === 'subscription') {
    const { url, events, is_disabled } = change
    return { url, events, is_disabled }
  }
  const { is_disabled, description } = change
  if (change.kind === 'client') return { is_admin: change.is_admin, is_disabled, description }
  return { type: change.type, handler: change.handler, ...settingsOf(change), is_disabled, description }
}

/** The settings of a collection in a change. An earlier version of the bus sends none. */
const settingsOf = ({ retention, concurrency, retry_rejected }: OfCollection) =>
  retry_rejected === undefined ? {} : { retention, concurrency, retry_rejected }

type OfCollection = Extract<LoggedChange, { kind: 'collection'; is_deleted: false }>

/** A field with its local value, and its value in the change unless that is a deletion. */
type Field = [name: string, here: SQL, there: SQL | undefined]

function fieldsOf({ clients, collections }: Bus, change: LoggedChange): Field[] {
  const { kind, is_deleted } = change
  const disabled = (of: { is_disabled: boolean }) => sql`${sql.param(of.is_disabled, collections.is_disabled)}`
  if (kind === 'access') return [['level', sql`a.level`, is_deleted ? undefined : sql`${change.level}`]]
  if (kind === 'subscription')
    return [
      ['url', sql`s.url`, is_deleted ? undefined : sql`${change.url}`],
      ['events', sql`s.events`, is_deleted ? undefined : sql`${change.events}`],
      ['is_disabled', sql`s.is_disabled`, is_deleted ? undefined : disabled(change)],
    ]
  if (kind === 'client')
    return [
      ['is_admin', sql`c.is_admin`, is_deleted ? undefined : sql`${sql.param(change.is_admin, clients.is_admin)}`],
      ['is_disabled', sql`c.is_disabled`, is_deleted ? undefined : disabled(change)],
      ['description', sql`c.description`, is_deleted ? undefined : sql`${change.description}`],
    ]
  return [
    ['type', sql`k.type`, is_deleted ? undefined : sql`${change.type}`],
    ['handler', sql`k.handler`, is_deleted ? undefined : sql`${change.handler}`],
    ...(is_deleted || change.retry_rejected === undefined ? [] : settingFields(collections, change)),
    ['is_disabled', sql`k.is_disabled`, is_deleted ? undefined : disabled(change)],
    ['description', sql`k.description`, is_deleted ? undefined : sql`${change.description}`],
  ]
}

const settingFields = (
  { retention, concurrency, retry_rejected }: Bus['collections'],
  change: OfCollection,
): Field[] => [
  ['retention', sql`k.retention`, sql`${sql.param(change.retention, retention)}`],
  ['concurrency', sql`k.concurrency`, sql`${sql.param(change.concurrency, concurrency)}`],
  ['retry_rejected', sql`k.retry_rejected`, sql`${sql.param(change.retry_rejected, retry_rejected)}`],
]

/** SQL: the local value as JSON, and whether the change has another value. */
function compare(bus: Bus, change: LoggedChange): { replaced: SQL; isOther: SQL } {
  const isSecretReplaced = change.kind === 'client' && !change.is_deleted && sql`c.secret_hash <> ${change.secret_hash}`
  const fields = fieldsOf(bus, change)
  const shown = [
    ...fields,
    ...(change.kind === 'client' ? [['is_secret_replaced', isSecretReplaced || sql`true`] as const] : []),
  ]
  const pairs = shown.map(([name, here]) => sql`${sql.raw(`'${name}'`)}, ${here}`)
  const object = sql.raw(bus.dialect === 'd1' ? 'json_object' : 'json_build_object')
  const replaced = sql`CAST(${object}(${sql.join(pairs, sql`, `)}) AS text)`
  if (change.is_deleted) return { replaced, isOther: sql`NOT known.is_deleted` }
  const differs = fields.map(([, here, there]) => sql`${here} IS DISTINCT FROM ${there}`)
  if (isSecretReplaced) differs.push(isSecretReplaced)
  return { replaced, isOther: sql`(known.is_deleted OR ${sql.join(differs, sql` OR `)})` }
}

/** Lists the newest conflicts for `GET /synchronisation`, the newest first. */
export async function listConflicts({ db, conflicts }: Bus): Promise<Conflict[]> {
  const rows = await db.select().from(conflicts).orderBy(desc(conflicts.id)).limit(maxListed)
  return rows.map(({ kind, client, collection, replaced_at, replaced, kept, kept_at, kept_origin, found_at }) => ({
    kind: kind as Conflict['kind'],
    ...(kind === 'access'
      ? { client, collection }
      : kind === 'subscription'
        ? { id: client, collection }
        : { name: client || collection }),
    replaced_at: new Date(replaced_at),
    replaced: fieldsIn(replaced),
    kept_at: new Date(kept_at),
    kept_origin,
    kept: fieldsIn(kept),
    found_at,
  }))
}

/** The stored value of a conflict with its booleans, which D1 writes as 0 and 1, as `true` and `false`. */
const fieldsIn = (text: string) =>
  JSON.stringify(parseJson(text), (name, value) =>
    name.startsWith('is_') || name === 'retry_rejected' ? Boolean(value) : value,
  )

/** Deletes all but the newest conflicts. */
export const deleteOldConflicts = ({ db, conflicts }: Bus) =>
  db.delete(conflicts).where(sql`${conflicts.id} <= (SELECT max(newest.id) FROM ${conflicts} newest) - ${maxStored}`)
