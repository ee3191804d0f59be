// Access of users to collections: grants, revokes and lists it.
import { and, asc, eq, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import { logChange } from './changes.ts'
import { findClient } from './clients.ts'
import { findCollection } from './collections.ts'
import type { AccessBy, AccessFilter, AccessOf, NewAccess } from './contract.ts'
import { missing } from './errors.ts'
import { insertWhere } from './insert-where.ts'
import { changeLogLock, lockForBatch } from './lock.ts'
import type { Bus } from './schema.ts'

/** Grants a user access to a collection and replaces the access that it had. */
export async function grantAccess(bus: Bus, builtin: string, access: NewAccess, now: Date) {
  const { db, accesses } = bus
  const { client, collection, client_name, collection_name } = await namesOf(bus, access)
  const { level } = access
  const row = { client: client_name, collection: collection_name, level }
  const [, , granted] = await db.batch([
    lockForBatch(bus, changeLogLock),
    logChange(bus, { kind: 'access', is_deleted: false, what: names(bus, builtin, access) }, now),
    bus.run(sql`
      ${insertWhere(accesses, row, sql`WHERE EXISTS (${pair(bus, access)})`)}
      ON CONFLICT (client, collection) DO UPDATE SET level = excluded.level RETURNING level`),
  ])
  if (rowsOf(granted).length === 0) throw missing('access')
  return { client, collection, level, client_name, collection_name }
}

async function namesOf(bus: Bus, access: AccessOf) {
  const { id: client, name: client_name } = await findClient(bus, { id: access.client })
  const { id: collection, name: collection_name } = await findCollection(bus, { id: access.collection })
  return { client, collection, client_name, collection_name }
}

/** SQL: the names of a user and a collection if both exist. */
const pair = ({ clients, collections }: Bus, { client, collection }: AccessOf) => sql`
  SELECT c.name AS client, k.name AS collection FROM ${clients} c, ${collections} k
  WHERE c.id = ${client} AND k.id = ${collection} AND k.is_ready`

/** SQL: the names of a user and a collection, but not of the built-in administrator, which the replication log never contains. */
const names = (bus: Bus, builtin: string, access: AccessOf) => sql`${pair(bus, access)} AND c.name <> ${builtin}`

/** Revokes a user's access to a collection. 404 if the user has none. */
export async function revokeAccess(bus: Bus, builtin: string, access: AccessBy, now: Date): Promise<void> {
  const { db, accesses } = bus
  const isChosen = chosenBy(bus, access)
  const revokedRows = sql`SELECT client, collection FROM ${accesses} WHERE ${isChosen} AND client <> ${builtin}`
  const [, , revoked] = await db.batch([
    lockForBatch(bus, changeLogLock),
    logChange(bus, { kind: 'access', is_deleted: true, what: revokedRows }, now),
    db.delete(accesses).where(isChosen).returning(),
  ])
  if (revoked.length === 0) throw missing('access')
}

/**
 * SQL condition for the access that a caller chooses by ids or names. Access that another instance has granted may exist here before
 * its user or collection, and can then be chosen by names only.
 */
const chosenBy = ({ clients, collections }: Bus, access: AccessBy) =>
  and(
    access.client_name === undefined ? undefined : sql`client = ${access.client_name}`,
    access.client === undefined ? undefined : sql`client IN (SELECT name FROM ${clients} WHERE id = ${access.client})`,
    access.collection_name === undefined ? undefined : sql`collection = ${access.collection_name}`,
    access.collection === undefined
      ? undefined
      : sql`collection IN (SELECT name FROM ${collections} WHERE id = ${access.collection})`,
  )!

/** Lists access by the names of users and collections, including names that do not exist here yet. */
export async function listAccesses(bus: Bus, { client, collection, limit, offset, count }: AccessFilter) {
  const { db, accesses, clients, collections } = bus
  const granted = db
    .select({
      client: clients.id,
      collection: collections.id,
      level: sql<NewAccess['level']>`${accesses.level}`.as('level'),
      client_name: sql<string>`${accesses.client}`.as('client_name'),
      collection_name: sql<string>`${accesses.collection}`.as('collection_name'),
    })
    .from(accesses)
    .leftJoin(clients, eq(clients.name, accesses.client))
    .leftJoin(collections, and(eq(collections.name, accesses.collection), eq(collections.is_ready, true)))
    .where(
      and(
        client === undefined ? undefined : eq(clients.id, client),
        collection === undefined ? undefined : eq(collections.id, collection),
      ),
    )
    .$dynamic()
  const total = sql<number>`count(*)`.mapWith(Number)
  const counted = count ? await db.select({ nb_results: total }).from(granted.as('granted')) : []
  const page = granted.orderBy(asc(accesses.client), asc(accesses.collection)).limit(limit).offset(offset)
  return { accesses: await page, ...counted[0] }
}
