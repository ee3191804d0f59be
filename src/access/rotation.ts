// Rotates keys: replaces the secret of a key, while previous ones stay valid during their overlap.
import { and, eq } from 'drizzle-orm'
import type { Credential } from '#core/access/credential'
import { hashSecret, keyOf, newSecret } from '#core/access/key-format'
import { missingScopes } from '#core/access/scopes'
import type { Rotation } from './contract.ts'
import { failure, missing } from './errors.ts'
import type { AccessStore, KeyRow } from './schema.ts'

/** Previous secrets of a key that are valid at a time. */
const maxPrevious = 5

/** Attempts to store a new secret while others rotate the same key. */
const maxAttempts = 5

/** A previous secret. */
interface PreviousSecret {
  /** SHA-256 in hex. */
  hash: string
  /** Unix time in milliseconds at which the overlap ends. */
  until: number
}

type SecretColumns = Pick<KeyRow, 'previous_hash' | 'previous_until' | 'older_secrets'>

/** The previous secrets of a key, newest first. The overlap of some may have ended. */
export const previousSecrets = ({ previous_hash, previous_until, older_secrets }: SecretColumns): PreviousSecret[] => [
  ...(previous_hash && previous_until ? [{ hash: previous_hash, until: previous_until.getTime() }] : []),
  ...(JSON.parse(older_secrets ?? '[]') as PreviousSecret[]),
]

/**
 * Replaces the secret of a key; the previous one stays valid for `overlap` seconds, and earlier ones until their overlap ends, unless
 * `end_overlaps` ends them now. Throws 403 `wider_than_caller` if the key may do more than the caller, who gets its secret, and 409
 * `too_many_secrets` if too many previous secrets would be valid.
 */
export async function rotateKey(
  store: AccessStore,
  caller: Credential,
  { id, overlap, end_overlaps }: Rotation,
  now: Date,
): Promise<string> {
  const secret = newSecret()
  const hash = await hashSecret(secret)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const key = await readKey(store, caller, id)
    const older = end_overlaps ? [] : previousSecrets(key).filter(({ until }) => until > now.getTime())
    if (older.length + Math.sign(overlap) > maxPrevious) throw failure('too_many_secrets')
    if (await replaceSecret(store, key, { hash, older, until: new Date(now.getTime() + overlap * 1_000) }))
      return keyOf({ id, secret })
  }
  throw failure('unavailable', 'Others keep rotating the key. Retry the request.', { retryAfter: 1 })
}

async function readKey({ db, keys }: AccessStore, caller: Credential, id: string): Promise<KeyRow> {
  const [key] = await db.select().from(keys).where(eq(keys.id, id))
  if (!key) throw missing('key', { id })
  const [lacking] = missingScopes(caller.scopes, JSON.parse(key.scopes) as string[])
  if (!lacking) return key
  throw failure(
    'wider_than_caller',
    `The key has the scope ${lacking}, which the caller lacks, so it may not rotate it.`,
  )
}

/** Stores a new secret. Returns false if the secret of the key has changed since it was read (compare and set). */
async function replaceSecret(
  { db, keys }: AccessStore,
  key: KeyRow,
  { hash, older, until }: { hash: string; older: PreviousSecret[]; until: Date },
): Promise<boolean> {
  const rows = await db
    .update(keys)
    .set({ hash, previous_hash: key.hash, previous_until: until, older_secrets: JSON.stringify(older) })
    .where(and(eq(keys.id, key.id), eq(keys.hash, key.hash)))
    .returning({ id: keys.id })
  return rows.length > 0
}
