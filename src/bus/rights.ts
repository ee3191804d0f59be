// Checks whether a user may read or write a collection. callers.ts authenticates the user.
import { and, eq, sql } from 'drizzle-orm'
import { forbidden, unauthorized } from './callers.ts'
import type { NewAccess, Type } from './contract.ts'
import { missing } from './errors.ts'
import type { Bus } from './schema.ts'

/** A collection that the calling user may use. */
export interface UsableCollection {
  id: number
  name: string
  type: Type
  handler: string | null
  is_disabled: boolean
  /** Maximum number of concurrent deliveries; null for the default. */
  concurrency: number | null
  /** Encrypted signing secrets by target, as JSON. */
  secrets: string
}

/**
 * Finds a collection by name for a user with access. 401 if the secret is not a user's; 403 without access, whether the collection
 * exists or not; 404 if it does not exist, for administrators and users with access to its name.
 */
export async function findCollectionFor(
  bus: Bus,
  hash: string,
  name: string,
  level: NewAccess['level'],
): Promise<UsableCollection> {
  const { db, clients, collections, accesses } = bus
  const [found] = await db
    .select({
      is_admin: clients.is_admin,
      level: accesses.level,
      id: collections.id,
      type: sql<Type>`${collections.type}`,
      handler: collections.handler,
      concurrency: collections.concurrency,
      secrets: collections.secrets,
      is_disabled: sql<boolean>`${collections.is_disabled}`.mapWith(Boolean),
    })
    .from(clients)
    .leftJoin(collections, and(eq(collections.name, name), eq(collections.is_ready, true)))
    .leftJoin(accesses, and(eq(accesses.client, clients.name), eq(accesses.collection, collections.name)))
    .where(and(eq(clients.secret_hash, hash), eq(clients.is_disabled, false)))
  if (!found) throw unauthorized()
  const { is_admin, level: granted, id, secrets, ...collection } = found
  if (!is_admin && granted !== 'write' && granted !== level) throw forbidden()
  if (id === null) throw missing('collection', { name })
  return { id, name, secrets: secrets!, ...collection }
}

/** SQL after `SELECT …`: the user of a secret has write access, and the collection has not changed since it was read. */
export const mayWrite = (
  { clients, collections, accesses }: Bus,
  hash: string,
  { id, name, type }: UsableCollection,
) => sql`
  FROM ${clients} c WHERE c.secret_hash = ${hash} AND NOT c.is_disabled
  AND (c.is_admin OR EXISTS (
    SELECT 1 FROM ${accesses} a WHERE a.client = c.name AND a.collection = ${name} AND a.level = 'write'))
  AND EXISTS (SELECT 1 FROM ${collections} k
    WHERE k.id = ${id} AND k.name = ${name} AND k.type = ${type} AND k.is_ready AND NOT k.is_disabled)`
