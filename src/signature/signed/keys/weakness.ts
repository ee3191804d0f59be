// Decides whether a valid signature is reported as weak.
import type { Hash, Scheme } from '../algorithms.ts'
import type { PublicKey } from './public-key.ts'
import { bitsOfModulus } from './signature-check.ts'

/**
 * Returns why a signature is weak, or null. NIST SP 800-131A allows neither SHA-1 nor RSA keys below 2048 bits for new signatures.
 */
export function weaknessOf(scheme: Scheme, hashes: Hash[], key: PublicKey | undefined): string | null {
  if ([...hashes, 'hash' in scheme && scheme.hash].includes('SHA-1')) return 'SHA-1 is weak'
  if (key?.kind === 'RSA' && bitsOfModulus(key.modulus) < 2048) return 'An RSA key of less than 2048 bits is weak'
  return null
}
