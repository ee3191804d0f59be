import { names } from '../algorithm-names.ts'
import { type Element, elementsOf, readBer, tags } from '../asn1/ber.ts'
import { bitsOf, oidOf } from '../asn1/values.ts'
import { malformed, readable } from '../parse-errors.ts'

export type Curve = 'P-256' | 'P-384' | 'P-521'

/** A public key; of a kind that the platform lacks, its name alone. */
export type PublicKey =
  | { kind: 'RSA'; modulus: Uint8Array<ArrayBuffer>; exponent: Uint8Array<ArrayBuffer> }
  | { kind: 'EC'; curve: Curve; point: Uint8Array<ArrayBuffer> }
  | { kind: 'Ed25519'; point: Uint8Array<ArrayBuffer> }
  | { kind: 'other'; name: string }

/** Curves by their object identifiers (RFC 5480). */
export const curves: Record<string, Curve> = {
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
}

/** Bytes of a coordinate. */
export const coordinateSizes: Record<Curve, number> = { 'P-256': 32, 'P-384': 48, 'P-521': 66 }

const types: Record<string, 'RSA' | 'EC' | 'Ed25519'> = {
  '1.2.840.113549.1.1.1': 'RSA',
  // A key that is for PSS alone: WebCrypto is given its numbers and the padding of the signature.
  '1.2.840.113549.1.1.10': 'RSA',
  '1.2.840.10045.2.1': 'EC',
  '1.3.101.112': 'Ed25519',
}

/** The key in a SubjectPublicKeyInfo (RFC 5280, section 4.1). */
export const publicKeyOf = (info: Element): PublicKey =>
  readable(() => keyIn(info)) ?? { kind: 'other', name: 'that cannot be read' }

function keyIn(info: Element): PublicKey {
  const [identifier, bits] = elementsOf(info)
  const [type, parameters] = identifier ? elementsOf(identifier) : []
  if (!type || !bits) throw malformed('A public key has parts missing')
  const oid = oidOf(type)
  const kind = types[oid]
  if (kind === 'RSA') return rsaKeyOf(bitsOf(bits))
  if (kind === 'EC') return ecKeyOf(parameters, bitsOf(bits))
  return kind ? { kind, point: bitsOf(bits) } : { kind: 'other', name: names[oid] ?? oid }
}

/** RSAPublicKey (RFC 8017, appendix A.1.1). */
function rsaKeyOf(der: Uint8Array<ArrayBuffer>): PublicKey {
  const [modulus, exponent] = elementsOf(readBer(der))
  if (modulus?.tag !== tags.integer || exponent?.tag !== tags.integer)
    throw malformed('An RSA public key is not well-formed')
  return { kind: 'RSA', modulus: unsigned(modulus.content), exponent: unsigned(exponent.content) }
}

/** Without leading zeros. */
export function unsigned(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? bytes.subarray(0, 0) : bytes.subarray(first)
}

function ecKeyOf(parameters: Element | undefined, point: Uint8Array<ArrayBuffer>): PublicKey {
  if (parameters?.tag !== tags.oid) return { kind: 'other', name: 'elliptic curve with parameters of its own' }
  const oid = oidOf(parameters)
  const curve = curves[oid]
  return curve ? { kind: 'EC', curve, point } : { kind: 'other', name: `elliptic curve ${oid}` }
}
