import { and, eq, sql } from 'drizzle-orm'
import { notAllowed, unknownCaller } from './callers.ts'
import type { NewAccess, Type } from './contract.ts'
import { missing } from './errors.ts'
import type { Bus } from './schema.ts'

/** A collection as those see it who may use it. */
export interface Usable {
  id: number
  name: string
  type: Type
  handler: string | null
  is_disabled: boolean
}

/**
 * The collection of a name, for who may read or write it: 401 for no user, 403 for one without the right, whether there is
 * such a collection or not, and 404 for an administrator.
 */
export async function findUsable(bus: Bus, hash: string, name: string, level: NewAccess['level']): Promise<Usable> {
  const { db, clients, collections, accesses } = bus
  const [found] = await db
    .select({
      is_admin: clients.is_admin,
      level: accesses.level,
      id: collections.id,
      type: sql<Type>`${collections.type}`,
      handler: collections.handler,
      is_disabled: sql<boolean>`${collections.is_disabled}`.mapWith(Boolean),
    })
    .from(clients)
    .leftJoin(collections, and(eq(collections.name, name), eq(collections.is_ready, true)))
    .leftJoin(accesses, and(eq(accesses.client, clients.name), eq(accesses.collection, collections.name)))
    .where(and(eq(clients.secret_hash, hash), eq(clients.is_disabled, false)))
  if (!found) throw unknownCaller()
  const { is_admin, level: granted, id, ...collection } = found
  if (!is_admin && granted !== 'write' && granted !== level) throw notAllowed()
  if (id === null) throw missing('collection', { name })
  return { id, name, ...collection }
}

/** Whether the user of a secret may write a collection that is as it was thought to be, in SQL: goes on after `SELECT …`. */
export const mayWrite = ({ clients, collections, accesses }: Bus, hash: string, { id, name, type }: Usable) => sql`
  FROM ${clients} c WHERE c.secret_hash = ${hash} AND NOT c.is_disabled
  AND (c.is_admin OR EXISTS (
    SELECT 1 FROM ${accesses} a WHERE a.client = c.name AND a.collection = ${name} AND a.level = 'write'))
  AND EXISTS (SELECT 1 FROM ${collections} k
    WHERE k.id = ${id} AND k.name = ${name} AND k.type = ${type} AND k.is_ready AND NOT k.is_disabled)`
