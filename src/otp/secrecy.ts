import type { OtpChannel } from './channels.ts'
import type { OtpVariables } from './env.ts'
import { keysOf, mac } from './keys.ts'

/** Where a password was sent. */
export interface Address {
  channel: OtpChannel
  target: string
}

/** What a password is kept as. */
export interface Secret {
  digest: string
  channel_digest: string
  sealed: string
}

export async function secretsOf(env: OtpVariables, address: Address, password: string): Promise<Secret> {
  const [digest, channel_digest, sealed] = await Promise.all([
    digestOf(env, address, password),
    channelDigestOf(env, address.channel, password),
    seal(env, address, password),
  ])
  return { digest, channel_digest, sealed }
}

/** By what a check finds a password, and nobody without `OTP_SECRET`. */
export const digestOf = async (env: OtpVariables, { channel, target }: Address, password: string): Promise<string> =>
  mac((await keysOf(env)).digest, [channel, target, password])

/** By what the targets of a password are found. */
export const channelDigestOf = async (env: OtpVariables, channel: OtpChannel, password: string): Promise<string> =>
  mac((await keysOf(env)).channelDigest, [channel, password])

const nonceBytes = 12

/** Encrypts a password, for its own address alone; base64, the nonce first. */
export async function seal(env: OtpVariables, address: Address, password: string): Promise<string> {
  const { seal: key } = await keysOf(env)
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const text = new TextEncoder().encode(password)
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bytesOf(address) }, key, text)
  return new Uint8Array(await new Blob([iv, encrypted]).arrayBuffer()).toBase64()
}

/** What `seal` has encrypted; nothing where it was for another address or under another secret. */
export async function unseal(env: OtpVariables, address: Address, sealed: string): Promise<string | undefined> {
  const { seal: key } = await keysOf(env)
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
