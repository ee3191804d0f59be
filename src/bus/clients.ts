import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import { logChange } from './changes.ts'
import type { BusPaging, ClientBy, ClientChanges, NewClient } from './contract.ts'
import { failure, missing } from './errors.ts'
import { insertWhere } from './insert-where.ts'
import type { Bus } from './schema.ts'
import { hashOf, newSecret } from './secrets.ts'
import { changesTurn, takeTurn } from './turn.ts'

const shown = ({ id, name, is_admin, is_disabled, description, created_at, updated_at }: Bus['clients']) => ({
  id,
  name,
  is_admin,
  is_disabled,
  description,
  created_at,
  updated_at,
})

/** Creates a user, and gives its secret, which nobody learns again. */
export async function createClient(bus: Bus, { secret = newSecret(), ...given }: NewClient, now: Date) {
  const { db, clients, accesses } = bus
  const secret_hash = await hashOf(secret)
  const row = { ...given, name: given.name ?? `user-${newSecret().slice(0, 12)}`, secret_hash }
  const isFree = sql`NOT EXISTS (SELECT 1 FROM ${clients} WHERE name = ${row.name} OR secret_hash = ${secret_hash})`
  const what = sql`SELECT ${asText(row.name)} AS client, '' AS collection WHERE ${isFree}`
  const created = { ...row, created_at: now, updated_at: now }
  // A new user has no rights that another instance has granted to a deleted user of the same name.
  const isLeft = sql`client = ${row.name} AND ${isFree}`
  const left = sql`SELECT client, collection FROM ${accesses} WHERE ${isLeft}`
  const [, , , , inserted, [client]] = await db.batch([
    takeTurn(bus, changesTurn),
    logChange(bus, { kind: 'access', is_deleted: true, what: left }, now),
    db.delete(accesses).where(isLeft),
    logChange(bus, { kind: 'client', is_deleted: false, isCreated: true, what }, now),
    bus.run(sql`${insertWhere(clients, created, sql`WHERE ${isFree}`)} RETURNING id`),
    db.select(shown(clients)).from(clients).where(eq(clients.name, row.name)),
  ])
  if (rowsOf(inserted).length > 0) return { ...client!, secret }
  throw client ? taken('name') : taken('secret')
}

/** A parameter whose type Postgres cannot tell from where it stands. */
const asText = (value: string) => sql`CAST(${value} AS text)`

const taken = (what: 'name' | 'secret') => failure(`${what}_taken`, `Another user has this ${what}.`)

/** Changes a user; the built-in administrator is as the configuration says. */
export async function changeClient(bus: Bus, builtin: string, { id, ...given }: ClientChanges, now: Date) {
  const { db, clients } = bus
  const { renew_secret, secret = renew_secret ? newSecret() : undefined, ...rest } = given
  const secret_hash = secret === undefined ? undefined : await hashOf(secret)
  const isLocked = secret_hash !== undefined || given.is_admin === false || given.is_disabled === true
  const chosen = and(
    eq(clients.id, id),
    isLocked ? ne(clients.name, builtin) : undefined,
    secret_hash === undefined ? undefined : unusedBy(bus, id, secret_hash),
  )!
  const [, , [changed]] = await db.batch([
    takeTurn(bus, changesTurn),
    logChange(bus, { kind: 'client', is_deleted: false, what: named(bus, builtin, chosen) }, now),
    db
      .update(clients)
      .set({ ...rest, ...(secret_hash && { secret_hash }), updated_at: now })
      .where(chosen)
      .returning(shown(clients)),
  ])
  if (changed) return { ...changed, ...(renew_secret && { secret: secret! }) }
  await refuseBuiltin(bus, builtin, id)
  throw taken('secret')
}

const unusedBy = ({ clients }: Bus, id: number, hash: string) =>
  sql`NOT EXISTS (SELECT 1 FROM ${clients} other WHERE other.secret_hash = ${hash} AND other.id <> ${id})`

/** The names of users that are chosen, for the log, which never has the built-in administrator. */
const named = ({ clients }: Bus, builtin: string, chosen: SQL) =>
  sql`SELECT name AS client, '' AS collection FROM ${clients} WHERE ${chosen} AND ${clients.name} <> ${builtin}`

/** Why a user could not be changed: it is not there (404), or built in (409). */
async function refuseBuiltin(bus: Bus, builtin: string, id: number): Promise<void> {
  if ((await findClient(bus, { id })).name !== builtin) return
  throw failure('builtin_administrator')
}

/** Deletes a user, and what it was granted. */
export async function deleteClient(bus: Bus, builtin: string, id: number, now: Date): Promise<void> {
  const { db, clients, accesses } = bus
  const chosen = and(eq(clients.id, id), ne(clients.name, builtin))!
  const isTheirs = sql`client IN (SELECT name FROM ${clients} WHERE ${chosen})`
  const granted = sql`SELECT client, collection FROM ${accesses} WHERE ${isTheirs}`
  const [, , , , deleted] = await db.batch([
    takeTurn(bus, changesTurn),
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
  const [found] = await db.select(shown(clients)).from(clients).where(chosen)
  if (!found) throw missing('client', name === undefined ? { id: id! } : { name })
  return found
}

export async function listClients({ db, clients }: Bus, { limit, offset, count }: BusPaging) {
  const page = db.select(shown(clients)).from(clients).orderBy(asc(clients.id)).limit(limit).offset(offset)
  return { clients: await page, ...(count && { nb_results: await db.$count(clients) }) }
}
