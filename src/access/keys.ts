// Keys: creates, lists, finds and deletes them.
import { asc, eq, getTableColumns, gt, lt, sql } from 'drizzle-orm'
import type { StoredKey } from '#core/access/access-service'
import { type Credential, rootId } from '#core/access/credential'
import { hashSecret, keyOf, newKeyId, newSecret } from '#core/access/key-format'
import { affectedRows } from '#core/db/open'
import type { Key, KeyList, KeyOf, NewKey } from './contract.ts'
import { maxTokenLifetimeS } from './contract.ts'
import { failure, missing } from './errors.ts'
import { lockKeys, maxCreatedKeys, mayCreate, treeOf } from './key-tree.ts'
import { previousSecrets } from './rotation.ts'
import type { AccessStore, KeyRow } from './schema.ts'
import { readIdSecret } from './settings.ts'

const publicKey = ({ id, name, scopes, bounds, created_at, ...row }: KeyRow): Key => ({
  id,
  name,
  scopes: JSON.parse(scopes) as string[],
  bounds: JSON.parse(bounds) as Record<string, string>,
  created_at,
  expires_at: row.expires_at ?? undefined,
  requests_per_minute: row.requests_per_minute ?? undefined,
  last_used_at: row.last_used_at ?? undefined,
  parent_id: row.parent_id ?? undefined,
})

/** The key that creates another one, itself or with a token. `undefined` for `AUTH_TOKENS` and their tokens. */
const parentOf = ({ kind, id }: Credential): string | undefined =>
  (kind === 'key' || kind === 'token') && id !== rootId ? id : undefined

/**
 * Creates a key, which ends with the key of the caller. Throws 409 `name_taken` if its name is used, 401 if the key of the caller was
 * deleted, and 403 `too_many_keys` if that key or one above it has created too many.
 */
export async function createKey(
  store: AccessStore,
  caller: Credential,
  key: NewKey,
  now: Date,
): Promise<{ key: Key; secret: string }> {
  const { db, keys } = store
  const parts = { id: newKeyId(await readIdSecret(store)), secret: newSecret() }
  const parent = parentOf(caller)
  const row: Partial<KeyRow> = {
    id: parts.id,
    name: key.name,
    hash: await hashSecret(parts.secret),
    scopes: JSON.stringify(key.scopes),
    bounds: JSON.stringify(key.bounds),
    expires_at: key.expires_at ?? null,
    requests_per_minute: key.requests_per_minute ?? null,
    created_at: now,
    parent_id: parent ?? null,
  }
  const values = Object.entries(getTableColumns(keys)).map(
    ([name, column]) => sql`${sql.param(row[name as keyof KeyRow] ?? null, column)}`,
  )
  const condition = parent === undefined ? sql`1 = 1` : mayCreate(store, parent)
  const [, [created]] = await db.batch([
    lockKeys(store),
    db
      .insert(keys)
      .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${condition}`)
      .onConflictDoNothing({ target: keys.name })
      .returning(),
  ])
  if (!created) throw await refusalOf(store, key.name, parent)
  return { key: publicKey(created), secret: keyOf(parts) }
}

/** Why a key was not created. */
async function refusalOf({ db, keys }: AccessStore, name: string, parent: string | undefined) {
  const [taken] = await db.select({ id: keys.id }).from(keys).where(eq(keys.name, name))
  if (taken || parent === undefined) return failure('name_taken')
  const [existing] = await db.select({ id: keys.id }).from(keys).where(eq(keys.id, parent))
  return existing
    ? failure('too_many_keys', `The key of the caller, or the one that created it, has created ${maxCreatedKeys} keys.`)
    : failure('unauthorized')
}

/** A page of the keys, by name. */
export async function listKeys({ db, keys }: AccessStore, { after, limit }: KeyList): Promise<Key[]> {
  const rows = await db
    .select()
    .from(keys)
    .where(after === undefined ? undefined : gt(keys.name, after))
    .orderBy(asc(keys.name))
    .limit(limit)
  return rows.map(publicKey)
}

/** All tokens of a key have expired then, also those that it issued while an isolate of `access` had it cached. */
const revocationMs = (maxTokenLifetimeS + 600) * 1_000

/**
 * Deletes a key and all keys that it created, itself and through others, and revokes the tokens of all of them. Returns the number of
 * deleted keys.
 */
export async function deleteKey(store: AccessStore, { id }: KeyOf, now: Date): Promise<{ deleted: number }> {
  const { db, keys, revoked } = store
  const until = sql`${sql.param(new Date(now.getTime() + revocationMs), revoked.until)}`
  // Only of keys that exist: every component reads the list of revocations.
  const results = await db.batch([
    lockKeys(store),
    db
      .insert(revoked)
      .select(sql`SELECT tree.id, ${until} FROM (${treeOf(store, id)}) tree WHERE 1 = 1`)
      .onConflictDoNothing(),
    db.delete(keys).where(sql`${keys.id} IN (${treeOf(store, id)})`),
  ])
  const deleted = affectedRows(results[2])
  if (deleted === 0) throw missing('key', { id })
  return { deleted }
}

/** A key for the components that verify it. */
export async function findKey({ db, keys }: AccessStore, id: string): Promise<StoredKey | undefined> {
  const [row] = await db.select().from(keys).where(eq(keys.id, id))
  if (!row) return undefined
  const { hash, expires_at, requests_per_minute } = row
  return {
    id,
    hashes: [{ hash }, ...previousSecrets(row)],
    scopes: JSON.parse(row.scopes) as string[],
    bounds: JSON.parse(row.bounds) as Record<string, string>,
    ...(expires_at && { expires: expires_at.getTime() }),
    ...(requests_per_minute !== null && { requestsPerMinute: requests_per_minute }),
  }
}

/** Stores the minute of the last use. */
export async function markUsed({ db, keys }: AccessStore, id: string, now: Date): Promise<void> {
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000)
  await db.update(keys).set({ last_used_at: minute }).where(eq(keys.id, id))
}

/** Ids of deleted keys whose tokens may not have expired. */
export async function readRevoked({ db, revoked }: AccessStore, now: Date): Promise<string[]> {
  const rows = await db.select({ id: revoked.id }).from(revoked).where(gt(revoked.until, now))
  return rows.map(({ id }) => id)
}

/** Deletes revocations whose tokens have all expired. */
export async function deleteExpiredRevocations({ db, revoked }: AccessStore, now: Date): Promise<void> {
  await db.delete(revoked).where(lt(revoked.until, now))
}
