// Compares and joins arrays of bytes, for the parsers and verifiers of signed data.
import { concat } from '#core/chunks'

/** Compares bytes. Not in constant time, which only secrets would need: digests and signatures are public. */
export function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Concatenates arrays of bytes. */
export const join = (parts: Uint8Array[]) =>
  concat(
    parts,
    parts.reduce((size, part) => size + part.length, 0),
  )
