// Keyed hashes and encryption of passwords, with keys derived from `OTP_SECRET`, so that a leaked database reveals no
// passwords.
import type { OtpChannel } from './channels.ts'
import type { OtpVariables } from './env.ts'
import { secretOf } from './env.ts'

/** Keys derived from `OTP_SECRET`, one for each purpose: a value made for one purpose is useless for another. */
interface Keys {
  /** HMAC-SHA256 (RFC 2104). */
  digest: CryptoKey
  channelDigest: CryptoKey
  proof: CryptoKey
  /** AES-256-GCM (NIST SP 800-38D). */
  encryption: CryptoKey
}

let last: { secret: string; keys: Keys } | undefined

/** Derives the keys from `OTP_SECRET` by HKDF-SHA256 (RFC 5869), and caches them. Throws 503 if there is no secret. */
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
  const [digest, channelDigest, proof, encryption] = await Promise.all([
    keyFor('otp digest of a target and its password', hmac, ['sign']),
    keyFor('otp digest of a password', hmac, ['sign']),
    keyFor('otp proof of a delivery', hmac, ['sign']),
    keyFor('otp encryption of a password', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
  ])
  return { digest, channelDigest, proof, encryption }
}

/**
 * HMAC of a list of texts, in base64url. The list is encoded as JSON, so that different lists never give the same HMAC input.
 */
export async function mac(key: CryptoKey, texts: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(texts))
  const signature = await crypto.subtle.sign('HMAC', key, bytes)
  return new Uint8Array(signature).toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** Where a password was sent: its channel and target. */
export interface Address {
  channel: OtpChannel
  target: string
}

/** The stored forms of a password: two keyed hashes, and the encrypted password. */
export interface PasswordHashes {
  digest: string
  channel_digest: string
  sealed: string
}

export async function hashAndEncrypt(env: OtpVariables, address: Address, password: string): Promise<PasswordHashes> {
  const [digest, channel_digest, sealed] = await Promise.all([
    passwordDigest(env, address, password),
    channelDigest(env, address.channel, password),
    encryptFor(env, address, password),
  ])
  return { digest, channel_digest, sealed }
}

/** Keyed hash of channel, target and password. A check finds the stored password by it. */
export const passwordDigest = async (
  env: OtpVariables,
  { channel, target }: Address,
  password: string,
): Promise<string> => mac((await keysOf(env)).digest, [channel, target, password])

/** Keyed hash of channel and password. The target of a password is found by it. */
export const channelDigest = async (env: OtpVariables, channel: OtpChannel, password: string): Promise<string> =>
  mac((await keysOf(env)).channelDigest, [channel, password])

const nonceBytes = 12

/**
 * Encrypts a password with AES-GCM, bound to its channel and target: nobody can move the ciphertext to another row. Returns
 * nonce and ciphertext in base64.
 */
export async function encryptFor(env: OtpVariables, address: Address, password: string): Promise<string> {
  const { encryption: key } = await keysOf(env)
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const text = new TextEncoder().encode(password)
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bytesOf(address) }, key, text)
  return new Uint8Array(await new Blob([iv, encrypted]).arrayBuffer()).toBase64()
}

/** Decrypts the result of `encryptFor`. Returns undefined if it was encrypted for another address or with another secret. */
export async function decryptFor(env: OtpVariables, address: Address, sealed: string): Promise<string | undefined> {
  const { encryption: key } = await keysOf(env)
  const bytes = Uint8Array.fromBase64(sealed)
  const how = { name: 'AES-GCM', iv: bytes.subarray(0, nonceBytes), additionalData: bytesOf(address) }
  try {
    const text = await crypto.subtle.decrypt(how, key, bytes.subarray(nonceBytes))
    return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(text)
  } catch (error) {
    if (error instanceof Error && error.name === 'OperationError') return undefined
    throw error
  }
}

const bytesOf = ({ channel, target }: Address) => new TextEncoder().encode(JSON.stringify([channel, target]))
