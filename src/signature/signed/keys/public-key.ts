// Parses the public keys of certificates: RSA, elliptic curves and Ed25519.
import { algorithmNames } from '../algorithm-names.ts'
import { type Element, elementsOf, readBer, tags } from '../asn1/ber.ts'
import { bitsOf, oidOf } from '../asn1/values.ts'
import { malformed, tryRead } from '../parse-errors.ts'

export type Curve = 'P-256' | 'P-384' | 'P-521'

/** A public key. A key of an unsupported type has only a name, which the verification reports. */
export type PublicKey =
  | { kind: 'RSA'; modulus: Uint8Array<ArrayBuffer>; exponent: Uint8Array<ArrayBuffer> }
  | { kind: 'EC'; curve: Curve; point: Uint8Array<ArrayBuffer> }
  | { kind: 'Ed25519'; point: Uint8Array<ArrayBuffer> }
  | { kind: 'other'; name: string }

/** Elliptic curves by their object identifiers (RFC 5480). */
export const curves: Record<string, Curve> = {
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
}

/** Size of a coordinate of each curve in bytes. */
export const coordinateSizes: Record<Curve, number> = { 'P-256': 32, 'P-384': 48, 'P-521': 66 }

const types: Record<string, 'RSA' | 'EC' | 'Ed25519'> = {
  '1.2.840.113549.1.1.1': 'RSA',
  // An RSA key restricted to PSS. WebCrypto gets only its numbers; the padding is that of the signature algorithm.
  '1.2.840.113549.1.1.10': 'RSA',
  '1.2.840.10045.2.1': 'EC',
  '1.3.101.112': 'Ed25519',
}

/** Parses the structure SubjectPublicKeyInfo (RFC 5280, section 4.1). Throws 400 if it is not valid. */
export const publicKeyOf = (info: Element): PublicKey =>
  tryRead(() => keyIn(info)) ?? { kind: 'other', name: 'unknown' }

function keyIn(info: Element): PublicKey {
  const [identifier, bits] = elementsOf(info)
  const [type, parameters] = identifier ? elementsOf(identifier) : []
  if (!type || !bits) throw malformed('A public key is incomplete')
  const oid = oidOf(type)
  const kind = types[oid]
  if (kind === 'RSA') return rsaKeyOf(bitsOf(bits))
  if (kind === 'EC') return ecKeyOf(parameters, bitsOf(bits))
  return kind ? { kind, point: bitsOf(bits) } : { kind: 'other', name: algorithmNames[oid] ?? oid }
}

/** Parses the structure RSAPublicKey (RFC 8017, appendix A.1.1). */
function rsaKeyOf(der: Uint8Array<ArrayBuffer>): PublicKey {
  const [modulus, exponent] = elementsOf(readBer(der))
  if (modulus?.tag !== tags.integer || exponent?.tag !== tags.integer)
    throw malformed('An RSA public key is not well-formed')
  return { kind: 'RSA', modulus: unsigned(modulus.content), exponent: unsigned(exponent.content) }
}

/** Removes the leading zeros of a big-endian number, which DER adds before a high bit. */
export function unsigned(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? bytes.subarray(0, 0) : bytes.subarray(first)
}

function ecKeyOf(parameters: Element | undefined, point: Uint8Array<ArrayBuffer>): PublicKey {
  if (parameters?.tag !== tags.oid) return { kind: 'other', name: 'elliptic curve with explicit parameters' }
  const oid = oidOf(parameters)
  const curve = curves[oid]
  return curve ? { kind: 'EC', curve, point } : { kind: 'other', name: `elliptic curve ${oid}` }
}
