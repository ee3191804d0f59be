import { and, asc, eq, sql } from 'drizzle-orm'
import { rowsOf } from '#core/db/open'
import { logChange } from './changes.ts'
import { findClient } from './clients.ts'
import { findCollection } from './collections.ts'
import type { AccessFilter, AccessOf, HeldAccess, NewAccess } from './contract.ts'
import { missing } from './errors.ts'
import { insertWhere } from './insert-where.ts'
import type { Bus } from './schema.ts'
import { changesTurn, takeTurn } from './turn.ts'

/** Grants a user access to a collection, in place of what it had there. */
export async function grantAccess(bus: Bus, builtin: string, given: NewAccess, now: Date) {
  const { db, accesses } = bus
  const { client, collection, client_name, collection_name } = await namesOf(bus, given)
  const { level } = given
  const row = { client: client_name, collection: collection_name, level }
  const [, , granted] = await db.batch([
    takeTurn(bus, changesTurn),
    logChange(bus, { kind: 'access', is_deleted: false, what: names(bus, builtin, given) }, now),
    bus.run(sql`
      ${insertWhere(accesses, row, sql`WHERE EXISTS (${pair(bus, given)})`)}
      ON CONFLICT (client, collection) DO UPDATE SET level = excluded.level RETURNING level`),
  ])
  if (rowsOf(granted).length === 0) throw missing('access')
  return { client, collection, level, client_name, collection_name }
}

async function namesOf(bus: Bus, given: AccessOf) {
  const { id: client, name: client_name } = await findClient(bus, { id: given.client })
  const { id: collection, name: collection_name } = await findCollection(bus, { id: given.collection })
  return { client, collection, client_name, collection_name }
}

/** A user and a collection that are both there. */
const pair = ({ clients, collections }: Bus, { client, collection }: AccessOf) => sql`
  SELECT c.name AS client, k.name AS collection FROM ${clients} c, ${collections} k
  WHERE c.id = ${client} AND k.id = ${collection} AND k.is_ready`

/** The same for the log, which never has the built-in administrator. */
const names = (bus: Bus, builtin: string, given: AccessOf) => sql`${pair(bus, given)} AND c.name <> ${builtin}`

/** Takes back what a user was granted; 404 where that is nothing. */
export async function revokeAccess(bus: Bus, builtin: string, given: HeldAccess, now: Date): Promise<void> {
  const { db, accesses } = bus
  const held = heldBy(bus, given)
  const what = sql`SELECT client, collection FROM ${accesses} WHERE ${held} AND client <> ${builtin}`
  const [, , revoked] = await db.batch([
    takeTurn(bus, changesTurn),
    logChange(bus, { kind: 'access', is_deleted: true, what }, now),
    db.delete(accesses).where(held).returning(),
  ])
  if (revoked.length === 0) throw missing('access')
}

/** By ids, or by names, which is all there is of access that came before its user or its collection. */
const heldBy = ({ clients, collections }: Bus, given: HeldAccess) =>
  and(
    given.client_name === undefined ? undefined : sql`client = ${given.client_name}`,
    given.client === undefined ? undefined : sql`client IN (SELECT name FROM ${clients} WHERE id = ${given.client})`,
    given.collection_name === undefined ? undefined : sql`collection = ${given.collection_name}`,
    given.collection === undefined
      ? undefined
      : sql`collection IN (SELECT name FROM ${collections} WHERE id = ${given.collection})`,
  )!

/** What was granted, by the names of users and collections; also on what is not here yet. */
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
