// Compares and joins arrays of bytes.
import { concat } from '#core/chunks'

/** Compares bytes. Not in constant time: no secrets are compared here. */
export function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Concatenates parts. */
export const join = (parts: Uint8Array[]) =>
  concat(
    parts,
    parts.reduce((size, part) => size + part.length, 0),
  )
