// The format of keys: `qm_<id>_<random>`. The last characters of an id are check characters.
import { createHmac } from 'node:crypto'

const pattern = /^qm_([0-9a-f]{16})([0-9a-f]{8})_([A-Za-z0-9_-]{43})$/

export interface KeyParts {
  id: string
  secret: string
}

/** Splits a key. `undefined` if the text is none. */
export function parseKey(text: string): KeyParts | undefined {
  const parts = pattern.exec(text)
  return parts ? { id: parts[1]! + parts[2]!, secret: parts[3]! } : undefined
}

/** Makes the id of a new key. */
export function newKeyId(idSecret: string): string {
  const random = crypto.getRandomValues(new Uint8Array(8)).toHex()
  return random + checkCharacters(random, idSecret)
}

/** Whether `access` made the id. Of 2^32 ids that a caller made up, one passes. */
export const isGenuineId = (id: string, idSecret: string): boolean =>
  checkCharacters(id.slice(0, 16), idSecret) === id.slice(16)

/** Makes the secret part of a key: 256 random bits in base64url. */
export const newSecret = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true })

export const keyOf = ({ id, secret }: KeyParts): string => `qm_${id}_${secret}`

/** SHA-256 of a secret in hex. The secret is random, so that a slow hash adds nothing. */
export async function hashSecret(secret: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))).toHex()
}

const checkCharacters = (random: string, idSecret: string): string =>
  createHmac('sha256', idSecret).update(random).digest('hex').slice(0, 8)
