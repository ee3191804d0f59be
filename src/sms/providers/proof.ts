import { createHash, createHmac } from 'node:crypto'
import { isSame } from '#core/http/access'

/** Whether any of the proofs is the one that was given. */
export async function isAmong(given: string | null | undefined, proofs: string[]): Promise<boolean> {
  if (!given) return false
  const same = await Promise.all(proofs.map((proof) => isSame(proof, given)))
  return same.includes(true)
}

/** A digest of a text, in lower-case hexadecimal. */
export const digest = (algorithm: 'md5' | 'sha1', text: string) => createHash(algorithm).update(text).digest('hex')

/** A keyed digest of a text (RFC 2104). */
export const hmac = (
  algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512',
  key: string,
  text: string,
  encoding: 'hex' | 'base64' = 'hex',
) => createHmac(algorithm, key).update(text).digest(encoding)
