// Reads the hash and signature algorithms of XML signatures by their URIs.
import { type Algorithm, type Hash, nameOfScheme, type Scheme } from '../algorithms.ts'
import { attributeOf, childOf, textIn, type XmlElement } from './tree.ts'
import { ds, more, more2007, more2021, xmlenc } from './uris.ts'

const hashes: Record<string, Hash> = {
  [`${ds}sha1`]: 'SHA-1',
  [`${xmlenc}sha256`]: 'SHA-256',
  [`${more}sha384`]: 'SHA-384',
  [`${xmlenc}sha512`]: 'SHA-512',
}

/** Returns the URI in the attribute `Algorithm` of a method element. */
export const uriOf = (method: XmlElement | undefined) => attributeOf(method, 'Algorithm') ?? ''

/** Returns the hash algorithm of a DigestMethod element; undefined if it is not supported. */
export const hashOf = (method: XmlElement | undefined): Hash | undefined => hashes[uriOf(method)]

const digestBytes: Record<Hash, number> = { 'SHA-1': 20, 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 }

/** Describes RSASSA-PSS for the URIs that name the hash, where the salt is as long as the hash (RFC 9231, section 2.3.10). */
const pss = (hash: Hash): Scheme => ({ kind: 'RSA-PSS', hash, saltLength: digestBytes[hash] })

const schemes: Record<string, Scheme> = {
  [`${ds}rsa-sha1`]: { kind: 'RSA', hash: 'SHA-1' },
  [`${more}rsa-sha256`]: { kind: 'RSA', hash: 'SHA-256' },
  [`${more}rsa-sha384`]: { kind: 'RSA', hash: 'SHA-384' },
  [`${more}rsa-sha512`]: { kind: 'RSA', hash: 'SHA-512' },
  [`${more2007}sha1-rsa-MGF1`]: pss('SHA-1'),
  [`${more2007}sha256-rsa-MGF1`]: pss('SHA-256'),
  [`${more2007}sha384-rsa-MGF1`]: pss('SHA-384'),
  [`${more2007}sha512-rsa-MGF1`]: pss('SHA-512'),
  [`${more}ecdsa-sha1`]: { kind: 'ECDSA', hash: 'SHA-1' },
  [`${more}ecdsa-sha256`]: { kind: 'ECDSA', hash: 'SHA-256' },
  [`${more}ecdsa-sha384`]: { kind: 'ECDSA', hash: 'SHA-384' },
  [`${more}ecdsa-sha512`]: { kind: 'ECDSA', hash: 'SHA-512' },
  [`${more2021}eddsa-ed25519`]: { kind: 'Ed25519' },
}

const gost2012 = 'urn:ietf:params:xml:ns:cpxmlsec:algorithms:gostr34102012-gostr34112012'
const gost2015 = 'urn:ietf:params:xml:ns:pkigovkz:xmlsec:algorithms:gostr34102015-gostr34112015'

/** Names of signature algorithms that are not supported, by URI, for the message of the outcome. */
const unsupportedNames: Record<string, string> = {
  [`${ds}dsa-sha1`]: 'DSA with SHA-1',
  [`${ds}hmac-sha1`]: 'HMAC with SHA-1',
  [`${more}hmac-sha256`]: 'HMAC with SHA-256',
  [`${more}rsa-md5`]: 'RSA with MD5',
  [`${more}rsa-sha224`]: 'RSA with SHA-224',
  [`${more}ecdsa-sha224`]: 'ECDSA with SHA-224',
  [`${more2021}eddsa-ed448`]: 'Ed448',
  [`${more}gostr34102001-gostr3411`]: 'GOST R 34.10-2001 with GOST R 34.11-94',
  [`${more}gost34310-gost34311`]: 'GOST 34.310-2004 with GOST 34.311-95',
  [`${gost2012}-256`]: 'GOST R 34.10-2012 with GOST R 34.11-2012 (256)',
  [`${gost2012}-512`]: 'GOST R 34.10-2012 with GOST R 34.11-2012 (512)',
  [`${gost2015}-256`]: 'GOST R 34.10-2015 with GOST R 34.11-2015 (256)',
  [`${gost2015}-512`]: 'GOST R 34.10-2015 with GOST R 34.11-2015 (512)',
}

/** Returns the signature algorithm of a SignatureMethod element (RFC 9231). */
export function algorithmOf(method: XmlElement): Algorithm {
  const uri = uriOf(method)
  if (uri === `${more2007}rsa-pss`) return pssOf(method)
  const scheme = schemes[uri]
  return scheme ? { name: nameOfScheme(scheme), scheme } : { name: unsupportedNames[uri] ?? uri }
}

/**
 * Reads the parameters of RSASSA-PSS (RFC 9231, section 2.3.9). By default, the hash is SHA-256, and the mask uses the hash of the
 * message, as in the JDK. Different hashes are unsupported, since WebCrypto takes only one.
 */
function pssOf(method: XmlElement): Algorithm {
  const parameters = childOf(method, more2007, 'RSAPSSParams')
  const digest = childOf(parameters, ds, 'DigestMethod')
  const mask = childOf(parameters, more2007, 'MaskGenerationFunction')
  const maskDigest = childOf(mask, ds, 'DigestMethod')
  const salt = childOf(parameters, more2007, 'SaltLength')
  const trailer = childOf(parameters, more2007, 'TrailerField')
  const hash = digest ? hashOf(digest) : 'SHA-256'
  const isPlain =
    (mask ? uriOf(mask) === `${more2007}MGF1` : true) &&
    (maskDigest ? hashOf(maskDigest) : hash) === hash &&
    (trailer ? textIn(trailer).trim() === '1' : true)
  const saltLength = salt ? Number(textIn(salt).trim() || Number.NaN) : hash && digestBytes[hash]
  if (!hash || !isPlain || !Number.isInteger(saltLength) || saltLength! < 0 || saltLength! > 0xffff)
    return { name: 'RSA-PSS' }
  const scheme: Scheme = { kind: 'RSA-PSS', hash, saltLength: saltLength! }
  return { name: nameOfScheme(scheme), scheme }
}
