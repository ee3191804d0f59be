// Verifies RSA signatures with BigInt, for public exponents that WebCrypto on workerd does not support.
import type { Hash, Scheme } from '../algorithms.ts'
import { equal } from '../bytes.ts'

/** The RSA schemes of RFC 8017. */
export type RsaScheme = Extract<Scheme, { kind: 'RSA' | 'RSA-PSS' }>

/**
 * Maximum size of a supported public exponent. It bounds the CPU time: a verification takes up to two modular multiplications for
 * each bit.
 */
const maxExponentBits = 64

/** Whether a public exponent is supported: odd, at least 3, and at most 64 bits. */
export function isUsableExponent(exponent: Uint8Array): boolean {
  const e = numberOf(exponent)
  return e >= 3n && e % 2n === 1n && e < 1n << BigInt(maxExponentBits)
}

/** Verifies an RSA signature (RFC 8017). Not in constant time, which only private keys would need: all inputs are public. */
export async function isRsaSignature(
  { modulus, exponent }: { modulus: Uint8Array<ArrayBuffer>; exponent: Uint8Array<ArrayBuffer> },
  scheme: RsaScheme,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const n = numberOf(modulus)
  const s = numberOf(signature)
  if (signature.length !== modulus.length || s >= n) return false
  const message = bytesOf(power(s, numberOf(exponent), n), modulus.length)
  const digest = new Uint8Array(await crypto.subtle.digest(scheme.hash, data))
  if (scheme.kind === 'RSA') return equal(message, pkcs1(digest, scheme.hash, modulus.length))
  return isPss(message, digest, scheme, n.toString(2).length - 1)
}

/** Modular exponentiation by square-and-multiply, from the highest bit of the exponent. */
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * base) % modulus
  }
  return result
}

const numberOf = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${bytes.toHex()}`))

const bytesOf = (number: bigint, size: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.fromHex(number.toString(16).padStart(2 * size, '0'))

/** DER prefix of DigestInfo, which precedes the digest in the padded message (RFC 8017, section 9.2, note 1). */
const digestInfos: Record<Hash, string> = {
  'SHA-1': '3021300906052b0e03021a05000414',
  'SHA-256': '3031300d060960864801650304020105000420',
  'SHA-384': '3041300d060960864801650304020205000430',
  'SHA-512': '3051300d060960864801650304020305000440',
}

/**
 * Builds the padded message of EMSA-PKCS1-v1_5 (RFC 8017, section 9.2). The caller compares it with the decrypted signature as a
 * whole, so that no part of a forged message is ignored.
 */
function pkcs1(digest: Uint8Array, hash: Hash, size: number): Uint8Array<ArrayBuffer> {
  const info = Uint8Array.fromHex(digestInfos[hash])
  const encoded = new Uint8Array(size).fill(0xff)
  encoded.set([0, 1])
  const start = size - digest.length - info.length
  encoded[start - 1] = 0
  encoded.set(info, start)
  encoded.set(digest, start + info.length)
  return encoded
}

/** Verifies the padding EMSA-PSS (RFC 8017, section 9.1.2), with MGF1 of the same hash. */
async function isPss(
  message: Uint8Array<ArrayBuffer>,
  digest: Uint8Array<ArrayBuffer>,
  { hash, saltLength }: Extract<Scheme, { kind: 'RSA-PSS' }>,
  bits: number,
): Promise<boolean> {
  const size = Math.ceil(bits / 8)
  // If the modulus has 8k + 1 bits, the decrypted signature is one byte longer than the padded message. That byte must be zero.
  if (message.subarray(0, message.length - size).some((byte) => byte !== 0)) return false
  const encoded = message.subarray(message.length - size)
  const masked = size - digest.length - 1
  if (masked < saltLength + 1 || encoded.at(-1) !== 0xbc) return false
  const hashed = encoded.subarray(masked, -1)
  const unused = 8 * size - bits
  if (encoded[0]! >> (8 - unused)) return false
  const block = await mask(hashed, masked, hash)
  for (let i = 0; i < masked; i++) block[i]! ^= encoded[i]!
  block[0]! &= 0xff >> unused
  const zeros = masked - saltLength - 1
  if (block.subarray(0, zeros).some((byte) => byte !== 0) || block[zeros] !== 1) return false
  const salted = new Uint8Array([...new Uint8Array(8), ...digest, ...block.subarray(zeros + 1)])
  return equal(new Uint8Array(await crypto.subtle.digest(hash, salted)), hashed)
}

/** Computes the mask generation function MGF1 (RFC 8017, appendix B.2.1). */
async function mask(seed: Uint8Array, size: number, hash: Hash): Promise<Uint8Array<ArrayBuffer>> {
  const output: number[] = []
  for (let counter = 0; output.length < size; counter++) {
    const block = new Uint8Array([
      ...seed,
      counter >>> 24,
      (counter >>> 16) & 0xff,
      (counter >>> 8) & 0xff,
      counter & 0xff,
    ])
    output.push(...new Uint8Array(await crypto.subtle.digest(hash, block)))
  }
  return new Uint8Array(output.slice(0, size))
}
