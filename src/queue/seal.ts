// Encrypts and decrypts the secret headers and the confidential bodies of stored tasks.
import { notConfigured } from '#core/failure'

/** The parts of a request that are stored encrypted. */
export interface Secrets {
  headers?: Record<string, string>
  json?: string
  body?: string
  /** The body in base64 if it is not a text. */
  bytes?: string
  /** The component that the request is for: it gets a service token. */
  service?: string
}

const ivBytes = 12

/** Encrypts with AES-256-GCM (NIST SP 800-38D) under `QUEUE_SECRET`. The result is the nonce, then the ciphertext. Throws 503 without a secret. */
export async function seal(secret: string | undefined, secrets: Secrets): Promise<ArrayBuffer> {
  const message = 'Set QUEUE_SECRET. Secret headers and confidential bodies are encrypted with it.'
  if (!secret) throw notConfigured(message)
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const text = new TextEncoder().encode(JSON.stringify(secrets))
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyOf(secret), text)
  return new Blob([iv, encrypted]).arrayBuffer()
}

/** Decrypts the result of `seal`. Throws if `QUEUE_SECRET` has changed since. */
export async function unseal(secret: string | undefined, sealed: ArrayBuffer): Promise<Secrets> {
  const iv = new Uint8Array(sealed, 0, ivBytes)
  const encrypted = new Uint8Array(sealed, ivBytes)
  const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await keyOf(secret ?? ''), encrypted)
  return JSON.parse(new TextDecoder().decode(text)) as Secrets
}

const keyOf = async (secret: string) =>
  crypto.subtle.importKey(
    'raw',
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`queue:${secret}`)),
    'AES-GCM',
    false,
    ['encrypt', 'decrypt'],
  )
