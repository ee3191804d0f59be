// Signing secrets of handlers, webhooks and subscribers: encrypts them for storage, and makes the keys of a message's signatures.
import { notConfigured } from '#core/failure'
import { keyOf } from '#core/outgoing/standard-webhooks'
import { type BusVariables, secretKeysOf, signingKeyOf } from './env.ts'

const ivBytes = 12

/** A new signing secret, in the format of Standard Webhooks. */
export const newSigningSecret = () => `whsec_${crypto.getRandomValues(new Uint8Array(32)).toBase64()}`

/** Encrypts a secret with AES-256-GCM (NIST SP 800-38D) under `BOX_SECRET_KEY`: the nonce and the ciphertext in base64. */
export async function sealSecret(env: BusVariables, secret: string): Promise<string> {
  const [key] = secretKeysOf(env)
  if (!key) throw notConfigured('Set BOX_SECRET_KEY. Signing secrets are encrypted with it.')
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const encrypted = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    await cipherKeyOf(key),
    new TextEncoder().encode(secret),
  )
  return new Uint8Array([...iv, ...new Uint8Array(encrypted)]).toBase64()
}

/** Decrypts a secret. Throws 503 if `BOX_SECRET_KEY` lacks the key: a message is never sent unsigned in place of signed. */
async function unsealSecret(env: BusVariables, sealed: string): Promise<string> {
  const bytes = Uint8Array.fromBase64(sealed)
  for (const key of secretKeysOf(env)) {
    const algorithm = { name: 'AES-GCM', iv: bytes.slice(0, ivBytes) }
    const text = await crypto.subtle
      .decrypt(algorithm, await cipherKeyOf(key), bytes.slice(ivBytes))
      .catch(() => undefined)
    if (text) return new TextDecoder().decode(text)
  }
  throw notConfigured('BOX_SECRET_KEY does not have the key with which a signing secret was encrypted.')
}

const cipherKeyOf = async (key: string) =>
  crypto.subtle.importKey(
    'raw',
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`bus:${key}`)),
    'AES-GCM',
    false,
    ['encrypt', 'decrypt'],
  )

/** The keys of a message's signatures: the destination's secrets, or `BOX_SIGNING_SECRET` for a destination without one. */
export async function signingKeysOf(env: BusVariables, sealed: string[]): Promise<Uint8Array<ArrayBuffer>[]> {
  if (sealed.length === 0) return [signingKeyOf(env) ?? []].flat()
  const secrets = await Promise.all(sealed.map((secret) => unsealSecret(env, secret)))
  return secrets.flatMap((secret) => keyOf(secret) ?? [])
}
