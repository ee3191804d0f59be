// Applies the changes of users, collections and access that were read from the replication log of another instance.
import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import { objectionTo, type TargetEnv } from '#core/outgoing/url'
import { deleteVoidAccess, deleteVoidSubscriptions, lastPosition, logChange } from './changes.ts'
import { closeCircuit, closeCircuitsOf, subscriberOrigin } from './circuit.ts'
import { reserveName, systemName, tableOf } from './collections.ts'
import { recordConflict } from './conflicts.ts'
import type { LoggedChange } from './contract/replication.ts'
import { insertWhere } from './insert-where.ts'
import { changeLogLock, lockForBatch } from './lock.ts'
import { holdChange, retireSecret } from './pending-changes.ts'
import { purgeLater } from './purge.ts'
import { type Bus, documentsOf } from './schema.ts'
import { hashOf, newSecret } from './secrets.ts'

type Of<Kind> = Extract<LoggedChange, { kind: Kind }>

/**
 * Applies a change of another instance if it is newer than the last change of the same object here (last write wins, by time and
 * then by instance). The change keeps its time and origin, so that every instance recognises it when it arrives again. An object
 * that was deleted there is only disabled here. Returns the reason if the change cannot be applied.
 */
export async function applyChange(
  bus: Bus,
  env: TargetEnv,
  builtin: string,
  change: LoggedChange,
  now: Date,
): Promise<string | undefined> {
  const refusal = refusalOf(env, builtin, change)
  if (refusal) return refusal
  try {
    if (change.kind === 'client') return await applyClient(bus, change, now)
    if (change.kind === 'collection' && !change.is_deleted) return await applyCollection(bus, change, now)
    const statements =
      change.kind === 'access'
        ? [accessStatement(bus, change)]
        : change.kind === 'subscription'
          ? subscriptionStatements(bus, change, now)
          : [...endAccess(bus, change), disableCollection(bus, change, now)]
    await applyStatements(bus, change, statements)
  } catch (error) {
    if (!isDataRefused(error)) throw error
    return 'The database rejects a value of the change'
  }
}

function refusalOf(env: TargetEnv, builtin: string, change: LoggedChange): string | undefined {
  const { client, collection } = keyOf(change)
  if (client === builtin) return 'The user is the built-in administrator here'
  if (collection === systemName) return 'The collection is reserved'
  if (change.kind === 'subscription' && !change.is_deleted)
    return objectionTo(change.url, env) && 'The URL of the subscription is not allowed on this instance'
  if (change.kind !== 'collection' || change.is_deleted) return undefined
  const { type, handler } = change
  if (handler === null) return type === 'storage' ? undefined : 'The collection has no handler'
  return objectionTo(handler, env) && 'The URL of the handler is not allowed on this instance'
}

/** Key of the object of a change in the log: its kind and names. A user has no collection name and a collection no user name: empty. */
const keyOf = (change: LoggedChange) =>
  change.kind === 'subscription'
    ? { kind: change.kind, client: change.id, collection: change.collection }
    : keyOfNamed(change)

const keyOfNamed = (change: Exclude<LoggedChange, { kind: 'subscription' }>) => ({
  kind: change.kind,
  client: change.kind === 'access' ? change.client : change.kind === 'client' ? change.name : '',
  collection: change.kind === 'access' ? change.collection : change.kind === 'collection' ? change.name : '',
})

/** Filters the changes that are newer than the last change of their object here, with one query. */
export async function findNewer(bus: Bus, changes: LoggedChange[]): Promise<LoggedChange[]> {
  const keys = JSON.stringify(
    changes.map((change, n) => ({ n, at: change.at, origin: change.origin, since: sinceOf(change), ...keyOf(change) })),
  )
  const rows =
    bus.dialect === 'd1' ? sql`json_each(${keys}) g` : sql`json_array_elements(CAST(${keys} AS json)) g(value)`
  const found = await bus.run(sql`
    SELECT CAST(g.value ->> 'n' AS bigint) AS n FROM ${rows} WHERE NOT EXISTS (
      SELECT 1 FROM ${bus.changes} known WHERE known.kind = g.value ->> 'kind'
      AND known.client = g.value ->> 'client' AND known.collection = g.value ->> 'collection'
      AND known.since >= CAST(g.value ->> 'since' AS bigint)
      AND (known.at > CAST(g.value ->> 'at' AS bigint)
        OR (known.at = CAST(g.value ->> 'at' AS bigint) AND known.origin >= g.value ->> 'origin')))`)
  // Postgres returns a bigint as text, which would equal no index of `changes`.
  const numbers = new Set(rowsOf<{ n: number | string }>(found).map(({ n }) => Number(n)))
  return changes.filter((_, n) => numbers.has(n))
}

/** Time from which access to the name is valid. A deletion from an earlier version of the bus has no `since`: right after the deletion. */
const sinceOf = ({ kind, at, is_deleted, since }: LoggedChange): number =>
  since ?? (is_deleted && (kind === 'client' || kind === 'collection') ? at + 1 : 0)

/** SQL condition: the change is newer than the last change of its object here, by time and then by instance. */
const newer = ({ changes }: Bus, change: LoggedChange) => {
  const { at, origin } = change
  return sql`NOT EXISTS (SELECT 1 FROM ${changes} known WHERE ${isOf(change)}
    AND (known.at > ${at} OR (known.at = ${at} AND known.origin >= ${origin})))`
}

const isOf = (change: LoggedChange) => {
  const { kind, client, collection } = keyOf(change)
  return sql`known.kind = ${kind} AND known.client = ${client} AND known.collection = ${collection}`
}

type Statement = ReturnType<Bus['run']>

/**
 * Runs the statements of a change in one batch, and adds the change to the log under the condition `isDue`. Returns whether the log
 * then has the change or a newer one.
 */
async function applyStatements(bus: Bus, change: LoggedChange, statements: unknown[], isDue = newer(bus, change)) {
  // The log entry is written last, since all other statements compare the change with the previous entry.
  const results: unknown[] = await bus.db.batch([
    lockForBatch(bus, changeLogLock),
    recordConflict(bus, change, newer(bus, change)),
    ...(statements as Statement[]),
    writeLogEntry(bus, change, isDue),
    ...raiseSince(bus, change),
    bus.run(sql`SELECT 1 AS n WHERE ${newer(bus, change)}`),
  ])
  return rowsOf(results.at(-1)).length === 0
}

function writeLogEntry(bus: Bus, change: LoggedChange, isDue: SQL) {
  const { changes } = bus
  const { at, origin, is_deleted } = change
  const position = sql`${lastPosition(bus)} + 1`
  const seen = JSON.stringify(change.seen ?? {})
  const stamp = { position, ...keyOf(change), at, origin, is_deleted, since: sinceOf(change), seen }
  return bus.run(sql`
    ${insertWhere(changes, stamp, sql`WHERE ${isDue}`)}
    ON CONFLICT (kind, client, collection) DO UPDATE SET
      position = excluded.position, at = excluded.at, origin = excluded.origin, is_deleted = excluded.is_deleted,
      since = CASE WHEN ${changes.since} > excluded.since THEN ${changes.since} ELSE excluded.since END,
      seen = excluded.seen`)
}

/** A later creation or deletion of the name voids older access, even if another change of the object has won here. */
function raiseSince(bus: Bus, change: LoggedChange) {
  const { kind, client, collection } = keyOf(change)
  if (kind === 'access' || kind === 'subscription') return []
  const { changes } = bus
  const since = sinceOf(change)
  const isEarlier = and(
    eq(changes.kind, kind),
    eq(changes.client, client),
    eq(changes.collection, collection),
    lt(changes.since, since),
  )
  const position = sql`${lastPosition(bus)} + 1`
  return [
    bus.db.update(changes).set({ since, position }).where(isEarlier),
    deleteVoidAccess(bus, kind, client || collection),
    ...(kind === 'collection' ? [deleteVoidSubscriptions(bus, collection)] : []),
  ]
}

/**
 * Revokes all access of a user or to a collection that another instance has deleted. It is logged with the time of the deletion,
 * since the local time would also void access that is granted after the name is created again.
 */
function endAccess(bus: Bus, change: Of<'client'> | Of<'collection'>) {
  const { accesses, db } = bus
  const isEnded = sql`${sql.identifier(change.kind)} = ${change.name} AND ${newer(bus, change)}`
  const what = sql`SELECT client, collection FROM ${accesses} WHERE ${isEnded}`
  return [
    logChange(bus, { kind: 'access', is_deleted: true, what }, new Date(change.at)),
    db.delete(accesses).where(isEnded),
  ]
}

async function applyClient(bus: Bus, change: Of<'client'>, now: Date): Promise<string | undefined> {
  const { clients, db } = bus
  const { name } = change
  const isNewer = newer(bus, change)
  // Replaces the user's old secret, which is invalid now and may belong to another user: the hash of a random secret that no caller has.
  const unusableHash = await hashOf(newSecret())
  if (change.is_deleted) {
    const set = { is_disabled: true, secret_hash: unusableHash, updated_at: now }
    const disabled = db
      .update(clients)
      .set(set)
      .where(and(eq(clients.name, name), isNewer))
    await applyStatements(bus, change, [...endAccess(bus, change), disabled])
    return undefined
  }
  const { secret_hash, is_admin, is_disabled, description } = change
  const row = { name, secret_hash, is_admin, is_disabled, description, created_at: now, updated_at: now }
  const isTaken = sql`EXISTS (SELECT 1 FROM ${clients} other WHERE other.secret_hash = ${secret_hash} AND other.name <> ${name})`
  const isBlocked = sql`${isNewer} AND ${isTaken}`
  const isDue = sql`${isNewer} AND NOT ${isTaken}`
  const upsert = bus.run(sql`
    ${insertWhere(clients, row, sql`WHERE ${isDue}`)}
    ON CONFLICT (name) DO UPDATE SET secret_hash = excluded.secret_hash, is_admin = excluded.is_admin,
      is_disabled = excluded.is_disabled, description = excluded.description, updated_at = excluded.updated_at`)
  const statements = [holdChange(bus, change, isBlocked), retireSecret(bus, name, unusableHash, isBlocked), upsert]
  const isKnown = await applyStatements(bus, change, statements, isDue)
  return isKnown ? undefined : 'Another user has the same secret. The change is applied when that user has another one.'
}

function accessStatement(bus: Bus, change: Of<'access'>) {
  const { accesses, changes, db } = bus
  const { client, collection } = change
  const isDue = newer(bus, change)
  if (change.is_deleted)
    return db.delete(accesses).where(and(eq(accesses.client, client), eq(accesses.collection, collection), isDue))
  const isVoid = sql`EXISTS (SELECT 1 FROM ${changes} named WHERE named.since > ${change.at} AND (
    (named.kind = 'client' AND named.client = ${client})
    OR (named.kind = 'collection' AND named.collection = ${collection})))`
  return bus.run(sql`
    ${insertWhere(accesses, { client, collection, level: change.level }, sql`WHERE ${isDue} AND NOT ${isVoid}`)}
    ON CONFLICT (client, collection) DO UPDATE SET level = excluded.level`)
}

/** A deleted subscription is deleted here too: unlike a collection, it has no documents. */
function subscriptionStatements(bus: Bus, change: Of<'subscription'>, now: Date) {
  const { subscriptions, changes, db } = bus
  const { id, collection } = change
  const isDue = newer(bus, change)
  if (change.is_deleted)
    return [
      db.delete(subscriptions).where(and(eq(subscriptions.id, id), isDue)),
      purgeLater(bus, { subscription: id }, now),
    ]
  const { url, events, secrets, is_disabled, disabled_because } = change
  const row = { id, collection, url, events, secrets, is_disabled, disabled_because, created_at: now, updated_at: now }
  const isVoid = sql`EXISTS (SELECT 1 FROM ${changes} named
    WHERE named.kind = 'collection' AND named.collection = ${collection} AND named.since > ${change.at})`
  return [
    bus.run(sql`
      ${insertWhere(subscriptions, row, sql`WHERE ${isDue} AND NOT ${isVoid}`)}
      ON CONFLICT (id) DO UPDATE SET url = excluded.url, events = excluded.events, secrets = excluded.secrets,
        is_disabled = excluded.is_disabled, disabled_because = excluded.disabled_because, updated_at = excluded.updated_at`),
    closeCircuitsOf(bus, subscriberOrigin(id)),
  ]
}

const disableCollection = (bus: Bus, change: Of<'collection'>, now: Date) =>
  bus.db
    .update(bus.collections)
    .set({ is_disabled: true, updated_at: now })
    .where(and(eq(bus.collections.name, change.name), newer(bus, change)))

async function applyCollection(bus: Bus, change: Of<'collection'>, now: Date): Promise<undefined> {
  if (change.is_deleted || (await findNewer(bus, [change])).length === 0) return
  const { collections, db } = bus
  const { name, type, handler, is_disabled, description } = change
  // A change from an earlier version of the bus lacks these settings: they keep their values here.
  const { retention, concurrency, retry_rejected, secrets } = change
  const settings = { retention, concurrency, retry_rejected, secrets }
  const id = await reserveName(bus, name, now)
  const isDue = sql`EXISTS (SELECT 1 FROM ${collections} k WHERE k.id = ${id}) AND ${newer(bus, change)}`
  const updated = db
    .update(collections)
    .set({ type, handler, is_disabled, description, ...settings, is_ready: true, updated_at: now })
    .where(and(eq(collections.id, id), newer(bus, change)))
  // Closes the circuit of the old handler, so that a new handler is called at once instead of at the next probe.
  const statements = [...tableOf(bus, id), updated, closeCircuit(bus, { collection: id, origin: '' })]
  if (await applyStatements(bus, change, statements, isDue)) return
  // The collection was deleted here meanwhile. Ids are not reused, so the new table belongs to no collection: drop it.
  await bus.run(sql`DROP TABLE IF EXISTS ${documentsOf(bus, id)}`)
  return applyCollection(bus, change, now)
}

interface DatabaseError {
  code?: string
  /** The driver's error: Drizzle wraps errors of single statements, not of batches. */
  cause?: DatabaseError
}

/** Whether the database rejected a value, so that a retry would fail too: SQLSTATE class 22, data exception. */
function isDataRefused(error: unknown): boolean {
  const { code, cause } = error as DatabaseError
  return Boolean(code?.startsWith('22')) || (cause !== undefined && isDataRefused(cause))
}
