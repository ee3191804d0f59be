// Hashes and constant-time comparison, with which drivers verify the signatures of delivery receipts.
import { createHash, createHmac } from 'node:crypto'
import { isSame } from '#core/access/constant-time'

/**
 * Whether a signature equals one of the expected ones. The comparison takes constant time, so that its duration reveals nothing
 * about the expected signature.
 */
export async function matchesAny(signature: string | null | undefined, expected: string[]): Promise<boolean> {
  if (!signature) return false
  const results = await Promise.all(expected.map((one) => isSame(one, signature)))
  return results.includes(true)
}

/** Hash of a text in lower-case hexadecimal. */
export const digest = (algorithm: 'md5' | 'sha1', text: string) => createHash(algorithm).update(text).digest('hex')

/** HMAC of a text (RFC 2104). */
export const hmac = (
  algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512',
  key: string,
  text: string,
  encoding: 'hex' | 'base64' = 'hex',
) => createHmac(algorithm, key).update(text).digest(encoding)
