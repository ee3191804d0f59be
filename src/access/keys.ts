// Keys: creates, lists, rotates and deletes them.
import { asc, eq, gt, lt, sql } from 'drizzle-orm'
import type { StoredKey } from '#core/access/access-service'
import type { Credential } from '#core/access/credential'
import { hashSecret, keyOf, newKeyId, newSecret } from '#core/access/key-format'
import { missingScopes } from '#core/access/scopes'
import type { Key, KeyList, KeyOf, NewKey, Rotation } from './contract.ts'
import { maxTokenLifetimeS } from './contract.ts'
import { failure, missing } from './errors.ts'
import type { AccessStore } from './schema.ts'
import { readIdSecret } from './settings.ts'

type Row = AccessStore['keys']['$inferSelect']

const publicKey = ({ id, name, scopes, bounds, created_at, ...row }: Row): Key => ({
  id,
  name,
  scopes: JSON.parse(scopes) as string[],
  bounds: JSON.parse(bounds) as Record<string, string>,
  created_at,
  expires_at: row.expires_at ?? undefined,
  requests_per_minute: row.requests_per_minute ?? undefined,
  last_used_at: row.last_used_at ?? undefined,
})

/** Creates a key. Throws 409 `name_taken` if its name is used. */
export async function createKey(store: AccessStore, key: NewKey, now: Date): Promise<{ key: Key; secret: string }> {
  const { db, keys } = store
  const parts = { id: newKeyId(await readIdSecret(store)), secret: newSecret() }
  const [row] = await db
    .insert(keys)
    .values({
      id: parts.id,
      name: key.name,
      hash: await hashSecret(parts.secret),
      scopes: JSON.stringify(key.scopes),
      bounds: JSON.stringify(key.bounds),
      expires_at: key.expires_at ?? null,
      requests_per_minute: key.requests_per_minute ?? null,
      created_at: now,
    })
    .onConflictDoNothing({ target: keys.name })
    .returning()
  if (!row) throw failure('name_taken')
  return { key: publicKey(row), secret: keyOf(parts) }
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

/**
 * Replaces the secret of a key; the previous one stays valid for `overlap` seconds. Throws 403 `wider_than_caller` if the key may
 * do more than the caller, who gets its secret. The scopes of a key never change, so that they can be read before.
 */
export async function rotateKey(
  { db, keys }: AccessStore,
  caller: Credential,
  { id, overlap }: Rotation,
  now: Date,
): Promise<string> {
  const [key] = await db.select({ scopes: keys.scopes }).from(keys).where(eq(keys.id, id))
  if (!key) throw missing('key', { id })
  const [lacking] = missingScopes(caller.scopes, JSON.parse(key.scopes) as string[])
  if (lacking)
    throw failure(
      'wider_than_caller',
      `The key has the scope ${lacking}, which the caller lacks, so it may not rotate it.`,
    )
  const secret = newSecret()
  const [row] = await db
    .update(keys)
    .set({
      hash: await hashSecret(secret),
      previous_hash: keys.hash,
      previous_until: new Date(now.getTime() + overlap * 1_000),
    } as never)
    .where(eq(keys.id, id))
    .returning({ id: keys.id })
  if (!row) throw missing('key', { id })
  return keyOf({ id, secret })
}

/** All tokens of a key have expired then, also those that it issued while an isolate of `access` had it cached. */
const revocationMs = (maxTokenLifetimeS + 600) * 1_000

/** Deletes a key, and revokes the tokens that it issued. */
export async function deleteKey(store: AccessStore, { id }: KeyOf, now: Date): Promise<void> {
  const { db, keys, revoked } = store
  const until = new Date(now.getTime() + revocationMs)
  // Only of a key that exists: every component reads the list of revocations.
  const key = db.select({ id: keys.id, until: sql`${sql.param(until, revoked.until)}`.as('until') }).from(keys)
  const [, deleted] = await db.batch([
    db
      .insert(revoked)
      .select(key.where(eq(keys.id, id)))
      .onConflictDoNothing(),
    db.delete(keys).where(eq(keys.id, id)).returning({ id: keys.id }),
  ])
  if (deleted.length === 0) throw missing('key', { id })
}

/** A key for the components that verify it. */
export async function findKey({ db, keys }: AccessStore, id: string): Promise<StoredKey | undefined> {
  const [row] = await db.select().from(keys).where(eq(keys.id, id))
  if (!row) return undefined
  const { hash, previous_hash, previous_until, expires_at, requests_per_minute } = row
  return {
    id,
    hashes: [
      { hash },
      ...(previous_hash && previous_until ? [{ hash: previous_hash, until: previous_until.getTime() }] : []),
    ],
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
