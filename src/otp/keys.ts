import type { OtpVariables } from './env.ts'
import { secretOf } from './env.ts'

/** What is derived from `OTP_SECRET`, each key for one purpose. */
interface Keys {
  /** HMAC-SHA256 (RFC 2104). */
  digest: CryptoKey
  channelDigest: CryptoKey
  proof: CryptoKey
  /** AES-256-GCM (NIST SP 800-38D). */
  seal: CryptoKey
}

let last: { secret: string; keys: Keys } | undefined

/** The keys of this environment, by HKDF-SHA256 (RFC 5869); 503 where there is no secret. */
export async function keysOf(env: Pick<OtpVariables, 'OTP_SECRET'>): Promise<Keys> {
  const secret = secretOf(env)
  if (last?.secret === secret) return last.keys
  const keys = await derive(secret)
  last = { secret, keys }
  return keys
}

async function derive(secret: string): Promise<Keys> {
  const root = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, ['deriveKey'])
  const keyFor = (purpose: string, type: SubtleCryptoImportKeyAlgorithm, usages: string[]) => {
    const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: new TextEncoder().encode(purpose) }
    return crypto.subtle.deriveKey(how, root, type, false, usages)
  }
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 }
  const [digest, channelDigest, proof, seal] = await Promise.all([
    keyFor('otp digest of a target and its password', hmac, ['sign']),
    keyFor('otp digest of a password', hmac, ['sign']),
    keyFor('otp proof of a delivery', hmac, ['sign']),
    keyFor('otp encryption of a password', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
  ])
  return { digest, channelDigest, proof, seal }
}

/** An HMAC of texts in base64url; no two lists of texts are written alike. */
export async function mac(key: CryptoKey, texts: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(texts))
  const signature = await crypto.subtle.sign('HMAC', key, bytes)
  return new Uint8Array(signature).toBase64({ alphabet: 'base64url', omitPadding: true })
}
