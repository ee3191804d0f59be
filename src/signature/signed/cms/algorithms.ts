// Reads the hash and signature algorithms of CMS by their OIDs.
import { algorithmNames } from '../algorithm-names.ts'
import { type Algorithm, type Hash, nameOfScheme, type Scheme } from '../algorithms.ts'
import { type Element, elementsOf, tags } from '../asn1/ber.ts'
import { oidOf } from '../asn1/values.ts'
import { malformed } from '../parse-errors.ts'

const hashes: Record<string, Hash> = {
  '1.3.14.3.2.26': 'SHA-1',
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
}

/** Returns the OID of an AlgorithmIdentifier. */
function typeOf(identifier: Element): string {
  const [type] = elementsOf(identifier)
  if (!type) throw malformed('An algorithm identifier has no object identifier')
  return oidOf(type)
}

/** Returns the hash algorithm of an AlgorithmIdentifier; undefined if it is not supported. */
export const hashOf = (identifier: Element): Hash | undefined => hashes[typeOf(identifier)]

/** Returns the name of an algorithm for messages; its OID if this component has no name for it. */
export const algorithmName = (identifier: Element): string => {
  const type = typeOf(identifier)
  return hashes[type] ?? algorithmNames[type] ?? type
}

const schemes: Record<string, Scheme> = {
  '1.2.840.113549.1.1.5': { kind: 'RSA', hash: 'SHA-1' },
  '1.3.14.3.2.29': { kind: 'RSA', hash: 'SHA-1' },
  '1.2.840.113549.1.1.11': { kind: 'RSA', hash: 'SHA-256' },
  '1.2.840.113549.1.1.12': { kind: 'RSA', hash: 'SHA-384' },
  '1.2.840.113549.1.1.13': { kind: 'RSA', hash: 'SHA-512' },
  '1.2.840.10045.4.1': { kind: 'ECDSA', hash: 'SHA-1' },
  '1.2.840.10045.4.3.2': { kind: 'ECDSA', hash: 'SHA-256' },
  '1.2.840.10045.4.3.3': { kind: 'ECDSA', hash: 'SHA-384' },
  '1.2.840.10045.4.3.4': { kind: 'ECDSA', hash: 'SHA-512' },
  '1.3.101.112': { kind: 'Ed25519' },
}

/** OIDs of signature algorithms that do not name a hash. The digest algorithm of the signer is the hash. */
const keyTypes: Record<string, 'RSA' | 'ECDSA'> = {
  '1.2.840.113549.1.1.1': 'RSA',
  '1.2.840.10045.2.1': 'ECDSA',
}

const pss = '1.2.840.113549.1.1.10'

/**
 * Returns the signature algorithm of a signer (RFC 3370, 4056, 5754, 8419). `digest` is the signer's digest algorithm, used if the
 * signature algorithm names no hash.
 */
export function algorithmOf(signature: Element, digest: Element): Algorithm {
  const type = typeOf(signature)
  if (type === pss) return pssOf(signature)
  const kind = keyTypes[type]
  if (!kind) return algorithm(schemes[type], algorithmName(signature))
  const hash = hashOf(digest)
  return algorithm(hash && { kind, hash }, `${kind} with ${algorithmName(digest)}`)
}

const algorithm = (scheme: Scheme | undefined, name: string): Algorithm =>
  scheme ? { name: nameOfScheme(scheme), scheme } : { name }

const mgf1 = '1.2.840.113549.1.1.8'

/**
 * Reads the parameters of RSASSA-PSS (RFC 4055, section 3.1). By default, the hash is SHA-1 and the salt has 20 bytes. Different
 * hashes for the message and the mask are unsupported, since WebCrypto takes only one.
 */
function pssOf(identifier: Element): Algorithm {
  const [, parameters] = elementsOf(identifier)
  const parts = parameters?.tag === tags.sequence ? elementsOf(parameters) : []
  const part = (n: number) => {
    const wrapped = parts.find(({ tag }) => tag === tags.context(n))
    return wrapped && elementsOf(wrapped)[0]
  }
  const [digest, mask, salt, trailer] = [part(0), part(1), part(2), part(3)]
  const name = `RSA-PSS with ${digest ? algorithmName(digest) : 'SHA-1'}`
  const hash = digest ? hashOf(digest) : 'SHA-1'
  const maskHash = mask ? maskHashOf(mask) : 'SHA-1'
  if (!hash || hash !== maskHash || (trailer && smallInteger(trailer) !== 1)) return { name }
  return { name, scheme: { kind: 'RSA-PSS', hash, saltLength: salt ? smallInteger(salt) : 20 } }
}

function maskHashOf(mask: Element): Hash | undefined {
  const [, digest] = elementsOf(mask)
  return typeOf(mask) === mgf1 && digest ? hashOf(digest) : undefined
}

function smallInteger({ tag, content }: Element): number {
  if (tag !== tags.integer || content.length === 0 || content.length > 3) throw malformed('A number is out of range')
  return content.reduce((value, byte) => value * 256 + byte, 0)
}
