// Verifies a signature value with a public key: by WebCrypto if it supports the key, else by rsa.ts.
import type { Scheme } from '../algorithms.ts'
import { type CheckOutcome, invalid, unsupported, valid } from '../check-outcome.ts'
import type { PublicKey } from './public-key.ts'
import { isRsaSignature, isUsableExponent, type RsaScheme } from './rsa.ts'

/** Arguments of WebCrypto's `importKey` for a public key. */
interface KeyImport {
  format: 'jwk' | 'raw'
  data: JsonWebKey | Uint8Array<ArrayBuffer>
  algorithm: SubtleCryptoImportKeyAlgorithm
}

/** Verifies a signature value over `data`. An ECDSA signature must be in IEEE P1363 form, r and s concatenated. */
export async function checkSignature(
  scheme: Scheme,
  key: PublicKey,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<CheckOutcome> {
  if (key.kind === 'other') return unsupported(`Keys of the type ${key.name} are not supported`)
  const keyImport = keyImportOf(scheme, key)
  if (!keyImport) return invalid(`The key is not a key for ${scheme.kind}`)
  if (key.kind === 'RSA' && !isCheckable(key.modulus)) return unsupported(unsupportedRsa)
  if (isRsa(scheme) && key.kind === 'RSA' && !isPlatformExponent(key.exponent)) {
    if (!isUsableExponent(key.exponent)) return unsupported(unsupportedRsa)
    return (await isRsaSignature(key, scheme, signature, data)) ? valid : mismatch
  }
  const imported = await importKey(keyImport)
  if (!imported)
    return key.kind === 'RSA' ? unsupported(unsupportedRsa) : invalid('The public key is not a point on its curve')
  if (scheme.kind === 'Ed25519' && signature.length !== 64) return mismatch
  const isValid = await crypto.subtle.verify(parametersOf(scheme), imported, signature, data)
  return isValid ? valid : mismatch
}

export const mismatch = invalid('The signature does not match')

// These limits were measured on workerd: for other RSA keys, its `verify` returns false without checking the signature, which would
// be reported as `invalid`.
const unsupportedRsa =
  'Only RSA keys of 1024 to 8192 bits with an odd exponent from 3, of at most 64 bits, are supported'

const isRsa = (scheme: Scheme): scheme is RsaScheme => scheme.kind === 'RSA' || scheme.kind === 'RSA-PSS'

/** Whether WebCrypto on workerd supports a public exponent: 3 and 65537, which nearly all keys have. */
const isPlatformExponent = (exponent: Uint8Array) => exponent.toHex() === '03' || exponent.toHex() === '010001'

const isCheckable = (modulus: Uint8Array) => bitsOfModulus(modulus) >= 1024 && bitsOfModulus(modulus) <= 8192

function keyImportOf(scheme: Scheme, key: PublicKey): KeyImport | undefined {
  if (key.kind === 'RSA' && (scheme.kind === 'RSA' || scheme.kind === 'RSA-PSS')) {
    const data = { kty: 'RSA', n: base64url(key.modulus), e: base64url(key.exponent) }
    const name = scheme.kind === 'RSA' ? 'RSASSA-PKCS1-v1_5' : 'RSA-PSS'
    return { format: 'jwk', data, algorithm: { name, hash: scheme.hash } }
  }
  if (key.kind === 'EC' && scheme.kind === 'ECDSA') {
    return { format: 'raw', data: key.point, algorithm: { name: 'ECDSA', namedCurve: key.curve } }
  }
  if (key.kind === 'Ed25519' && scheme.kind === 'Ed25519') {
    return { format: 'raw', data: key.point, algorithm: { name: 'Ed25519' } }
  }
  return undefined
}

const base64url = (bytes: Uint8Array) => bytes.toBase64({ alphabet: 'base64url', omitPadding: true })

async function importKey({ format, data, algorithm }: KeyImport): Promise<CryptoKey | undefined> {
  try {
    return await crypto.subtle.importKey(format, data, algorithm, false, ['verify'])
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

function parametersOf(scheme: Scheme): SubtleCryptoSignAlgorithm {
  if (scheme.kind === 'RSA') return { name: 'RSASSA-PKCS1-v1_5' }
  if (scheme.kind === 'RSA-PSS') return { name: 'RSA-PSS', saltLength: scheme.saltLength }
  return scheme.kind === 'ECDSA' ? { name: 'ECDSA', hash: scheme.hash } : { name: 'Ed25519' }
}

/** Returns the size of an RSA modulus in bits. */
export const bitsOfModulus = (modulus: Uint8Array) => modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24
