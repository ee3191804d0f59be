// Signs the requests of tasks by Standard Webhooks with Ed25519 (`v1a`), so that receivers need only the public key.
import { notConfigured } from '#core/failure'
import type { Outgoing } from '#core/outgoing/call'

/** The variables with the signing keys. While both are set, both sign, so that receivers can change from one to the other. */
export interface SigningVariables {
  /** Private Ed25519 key: 32 bytes in base64 or base64url, with or without the prefix `whsk_`. */
  QUEUE_SIGNING_KEY?: string
  /** A second key, for a rotation. */
  QUEUE_NEXT_SIGNING_KEY?: string
}

/** A public Ed25519 key as a JSON Web Key (RFC 8037). `kid` is its thumbprint. */
interface VerificationKey {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  use: 'sig'
  alg: 'EdDSA'
}

/** A key that signs, and its public part as a JSON Web Key (RFC 7517, RFC 8037). */
interface SigningKey {
  key: CryptoKey
  jwk: VerificationKey
}

const names = ['QUEUE_SIGNING_KEY', 'QUEUE_NEXT_SIGNING_KEY'] as const

/** DER prefix of a private Ed25519 key in PKCS #8 (RFC 8410), which the 32 bytes of the key follow. */
const pkcs8Prefix = Uint8Array.fromHex('302e020100300506032b657004220420')

let imported: { text: string; keys: Promise<SigningKey[]> } | undefined

/** The keys that sign, imported once per isolate and value. Throws 503 if a variable is invalid. */
export function signingKeysOf(env: SigningVariables): Promise<SigningKey[]> {
  const text = names.map((name) => env[name] ?? '').join('\n')
  if (imported?.text !== text) {
    const secrets = names.flatMap((name) => (env[name] ? [bytesOf(name, env[name])] : []))
    imported = { text, keys: Promise.all(secrets.map(importKey)) }
  }
  return imported.keys
}

function bytesOf(name: string, text: string): Uint8Array {
  const bytes = decoded(text.replace(/^whsk_/, ''))
  if (bytes?.length === 32) return bytes
  throw notConfigured(`${name} must be an Ed25519 private key: 32 bytes in base64, with or without the prefix whsk_.`)
}

function decoded(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return undefined
  }
}

async function importKey(seed: Uint8Array): Promise<SigningKey> {
  const der = new Uint8Array([...pkcs8Prefix, ...seed])
  const key = await crypto.subtle.importKey('pkcs8', der, 'Ed25519', true, ['sign'])
  const { x = '' } = (await crypto.subtle.exportKey('jwk', key)) as JsonWebKey
  return { key, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid: await thumbprintOf(x), use: 'sig', alg: 'EdDSA' } }
}

/** The thumbprint of a key (RFC 7638), as its id. */
async function thumbprintOf(x: string): Promise<string> {
  const members = new TextEncoder().encode(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', members))
  return digest.toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** The public keys of the requests' signatures. */
export const publicKeysOf = async (env: SigningVariables): Promise<VerificationKey[]> =>
  (await signingKeysOf(env)).map(({ jwk }) => jwk)

/** The id of a message: that of the task, with the piece of a fraction. It is the same for each attempt. */
const messageIdOf = (id: string, piece: { min: number; max: number } | null) =>
  piece ? `${id}:${piece.min}-${piece.max}` : id

/** Adds the headers of a signature over the bytes of the body. Without a key, the request is not changed. */
export async function signed(
  env: SigningVariables,
  { id, piece }: { id: string; piece: { min: number; max: number } | null },
  outgoing: Outgoing,
): Promise<Outgoing> {
  const keys = await signingKeysOf(env)
  if (keys.length === 0) return outgoing
  const { headers, json, body = '' } = outgoing
  const content = json === undefined ? body : JSON.stringify(json)
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const messageId = messageIdOf(id, piece)
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const message = await new Blob([`${messageId}.${timestamp}.`, bytes as Uint8Array<ArrayBuffer>]).arrayBuffer()
  const signatures = await Promise.all(keys.map(({ key }) => crypto.subtle.sign('Ed25519', key, message)))
  return {
    ...outgoing,
    headers: {
      ...headers,
      'webhook-id': messageId,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.map((bytes) => `v1a,${new Uint8Array(bytes).toBase64()}`).join(' '),
    },
  }
}
