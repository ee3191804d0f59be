// The key pairs that sign tokens. The private keys never leave `access`.
import { desc, lt } from 'drizzle-orm'
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { SigningKey } from '#core/access/tokens'
import { maxTokenLifetimeS } from './contract.ts'
import type { AccessStore } from './schema.ts'

const dayMs = 86_400_000

/** A key pair signs for this long; then a new one is made. */
const lifetimeMs = 90 * dayMs

/** Old key pairs verify for this much longer: all their tokens have expired then. */
const verificationMs = (maxTokenLifetimeS + 3_600) * 1_000

/** A new key pair signs only when every component has read its public key. */
const publicationMs = 60_000

/** The key pair that signs now; makes one if the newest is too old or there is none. */
export async function currentSigningKey(store: AccessStore, now: Date): Promise<SigningKey> {
  await ensureSigningKey(store, now)
  const { db, signingKeys } = store
  const rows = await db.select().from(signingKeys).orderBy(desc(signingKeys.created_at), desc(signingKeys.kid)).limit(2)
  const isPublished = now.getTime() - rows[0]!.created_at.getTime() > publicationMs
  const row = isPublished ? rows[0]! : rows.at(-1)!
  return { kid: row.kid, privateKey: await importJWK(JSON.parse(row.private_key) as JWK, 'EdDSA') }
}

/** Makes a key pair if the newest is too old or there is none. Of two isolates that both make one, the first stores it. */
async function ensureSigningKey({ db, signingKeys }: AccessStore, now: Date): Promise<void> {
  const [newest] = await db
    .select({ created_at: signingKeys.created_at })
    .from(signingKeys)
    .orderBy(desc(signingKeys.created_at))
    .limit(1)
  if (newest && now.getTime() - newest.created_at.getTime() <= lifetimeMs) return
  await db
    .insert(signingKeys)
    .values(await newSigningKey(now))
    .onConflictDoNothing()
}

async function newSigningKey(created_at: Date) {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  // The same for all isolates that make a key pair now.
  const kid = String(Math.floor(created_at.getTime() / lifetimeMs))
  return {
    kid,
    private_key: JSON.stringify(await exportJWK(privateKey)),
    public_key: JSON.stringify({ ...(await exportJWK(publicKey)), kid }),
    created_at,
  }
}

/** The public keys of all key pairs whose tokens may be valid. */
export async function readPublicKeys(store: AccessStore, now: Date): Promise<JsonWebKey[]> {
  await ensureSigningKey(store, now)
  const { db, signingKeys } = store
  const rows = await db.select({ key: signingKeys.public_key }).from(signingKeys)
  return rows.map(({ key }) => JSON.parse(key) as JsonWebKey)
}

/** Deletes key pairs whose tokens have all expired. Makes a new one in time: one that is not used any more cannot sign a last token. */
export async function deleteOldSigningKeys(store: AccessStore, now: Date): Promise<void> {
  await ensureSigningKey(store, now)
  const { db, signingKeys } = store
  await db.delete(signingKeys).where(lt(signingKeys.created_at, new Date(now.getTime() - lifetimeMs - verificationMs)))
}
