// Users of the bus, which the code calls clients: creates, changes, deletes and lists them.
import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import { logChange } from './changes.ts'
import type { BusPaging, ClientBy, ClientChanges, NewClient } from './contract.ts'
import { failure, missing } from './errors.ts'
import { insertWhere } from './insert-where.ts'
import { changeLogLock, lockForBatch } from './lock.ts'
import type { Bus } from './schema.ts'
import { hashOf, newSecret } from './secrets.ts'

const publicColumns = ({ id, name, is_admin, is_disabled, description, created_at, updated_at }: Bus['clients']) => ({
  id,
  name,
  is_admin,
  is_disabled,
  description,
  created_at,
  updated_at,
})

/** Creates a user and returns it with its secret, of which only the hash is stored. */
export async function createClient(bus: Bus, { secret = newSecret(), ...fields }: NewClient, now: Date) {
  const { db, clients, accesses } = bus
  const secret_hash = await hashOf(secret)
  const row = { ...fields, name: fields.name ?? `user-${newSecret().slice(0, 12)}`, secret_hash }
  const isFree = sql`NOT EXISTS (SELECT 1 FROM ${clients} WHERE name = ${row.name} OR secret_hash = ${secret_hash})`
  const what = sql`SELECT ${asText(row.name)} AS client, '' AS collection WHERE ${isFree}`
  const created = { ...row, created_at: now, updated_at: now }
  // Another instance may have granted access to a deleted user of the same name. The new user must not get that access: revoke it.
  const isLeftover = sql`client = ${row.name} AND ${isFree}`
  const leftovers = sql`SELECT client, collection FROM ${accesses} WHERE ${isLeftover}`
  const [, , , , inserted, [client]] = await db.batch([
    lockForBatch(bus, changeLogLock),
    logChange(bus, { kind: 'access', is_deleted: true, what: leftovers }, now),
    db.delete(accesses).where(isLeftover),
    logChange(bus, { kind: 'client', is_deleted: false, isCreated: true, what }, now),
    bus.run(sql`${insertWhere(clients, created, sql`WHERE ${isFree}`)} RETURNING id`),
    db.select(publicColumns(clients)).from(clients).where(eq(clients.name, row.name)),
  ])
  if (rowsOf(inserted).length > 0) return { ...client!, secret }
  throw client ? taken('name') : taken('secret')
}

/** SQL: a text parameter with its type, which Postgres cannot infer in a `SELECT` list. */
const asText = (value: string) => sql`CAST(${value} AS text)`

const taken = (what: 'name' | 'secret') => failure(`${what}_taken`, `Another user has this ${what}.`)

/** Changes a user. Of the built-in administrator, only the description can be changed. */
export async function changeClient(bus: Bus, builtin: string, { id, ...changes }: ClientChanges, now: Date) {
  const { db, clients } = bus
  const { renew_secret, secret = renew_secret ? newSecret() : undefined, ...rest } = changes
  const secret_hash = secret === undefined ? undefined : await hashOf(secret)
  const isLocked = secret_hash !== undefined || changes.is_admin === false || changes.is_disabled === true
  const chosen = and(
    eq(clients.id, id),
    isLocked ? ne(clients.name, builtin) : undefined,
    secret_hash === undefined ? undefined : unusedBy(bus, id, secret_hash),
  )!
  const [, , [changed]] = await db.batch([
    lockForBatch(bus, changeLogLock),
    logChange(bus, { kind: 'client', is_deleted: false, what: named(bus, builtin, chosen) }, now),
    db
      .update(clients)
      .set({ ...rest, ...(secret_hash && { secret_hash }), updated_at: now })
      .where(chosen)
      .returning(publicColumns(clients)),
  ])
  if (changed) return { ...changed, ...(renew_secret && { secret: secret! }) }
  await refuseBuiltin(bus, builtin, id)
  throw taken('secret')
}

const unusedBy = ({ clients }: Bus, id: number, hash: string) =>
  sql`NOT EXISTS (SELECT 1 FROM ${clients} other WHERE other.secret_hash = ${hash} AND other.id <> ${id})`

/**
 * SQL: the names of the chosen users for the replication log. It never contains the built-in administrator, since each instance
 * configures its own.
 */
const named = ({ clients }: Bus, builtin: string, chosen: SQL) =>
  sql`SELECT name AS client, '' AS collection FROM ${clients} WHERE ${chosen} AND ${clients.name} <> ${builtin}`

/** Throws the reason why a user could not be changed: 404 if it does not exist, 409 if it is the built-in administrator. */
async function refuseBuiltin(bus: Bus, builtin: string, id: number): Promise<void> {
  if ((await findClient(bus, { id })).name !== builtin) return
  throw failure('builtin_administrator')
}

/** Deletes a user and its access. */
export async function deleteClient(bus: Bus, builtin: string, id: number, now: Date): Promise<void> {
  const { db, clients, accesses } = bus
  const chosen = and(eq(clients.id, id), ne(clients.name, builtin))!
  const isTheirs = sql`client IN (SELECT name FROM ${clients} WHERE ${chosen})`
  const granted = sql`SELECT client, collection FROM ${accesses} WHERE ${isTheirs}`
  const [, , , , deleted] = await db.batch([
    lockForBatch(bus, changeLogLock),
    logChange(bus, { kind: 'access', is_deleted: true, what: granted }, now),
    logChange(bus, { kind: 'client', is_deleted: true, what: named(bus, builtin, chosen) }, now),
    db.delete(accesses).where(isTheirs),
    db.delete(clients).where(chosen).returning({ id: clients.id }),
  ])
  if (deleted.length === 0) await refuseBuiltin(bus, builtin, id)
}

export async function findClient({ db, clients }: Bus, { id, name }: ClientBy) {
  const chosen = and(
    id === undefined ? undefined : eq(clients.id, id),
    name === undefined ? undefined : eq(clients.name, name),
  )
  const [found] = await db.select(publicColumns(clients)).from(clients).where(chosen)
  if (!found) throw missing('client', name === undefined ? { id: id! } : { name })
  return found
}

export async function listClients({ db, clients }: Bus, { limit, offset, count }: BusPaging) {
  const page = db.select(publicColumns(clients)).from(clients).orderBy(asc(clients.id)).limit(limit).offset(offset)
  return { clients: await page, ...(count && { nb_results: await db.$count(clients) }) }
}
