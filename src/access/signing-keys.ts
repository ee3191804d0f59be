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

/** The newest key pair; makes one if it is too old or missing. */
export async function currentSigningKey(store: AccessStore, now: Date): Promise<SigningKey> {
  const { db, signingKeys } = store
  const newest = () =>
    db.select().from(signingKeys).orderBy(desc(signingKeys.created_at), desc(signingKeys.kid)).limit(1)
  let [row] = await newest()
  if (!row || now.getTime() - row.created_at.getTime() > lifetimeMs) {
    await db.insert(signingKeys).values(await newSigningKey(now))
    // Another isolate may have made one too: all agree on the newest.
    ;[row] = await newest()
  }
  return { kid: row!.kid, privateKey: await importJWK(JSON.parse(row!.private_key) as JWK, 'EdDSA') }
}

async function newSigningKey(created_at: Date) {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  const kid = crypto.randomUUID()
  return {
    kid,
    private_key: JSON.stringify(await exportJWK(privateKey)),
    public_key: JSON.stringify({ ...(await exportJWK(publicKey)), kid }),
    created_at,
  }
}

/** The public keys of all key pairs whose tokens may be valid. */
export async function readPublicKeys({ db, signingKeys }: AccessStore): Promise<JsonWebKey[]> {
  const rows = await db.select({ key: signingKeys.public_key }).from(signingKeys)
  return rows.map(({ key }) => JSON.parse(key) as JsonWebKey)
}

/** Deletes key pairs whose tokens have all expired. */
export async function deleteOldSigningKeys({ db, signingKeys }: AccessStore, now: Date): Promise<void> {
  await db.delete(signingKeys).where(lt(signingKeys.created_at, new Date(now.getTime() - lifetimeMs - verificationMs)))
}
