// Reads the signing time of XAdES signatures, and checks that the signer names the verified certificate.
import { equal } from '../bytes.ts'
import { type CheckOutcome, invalid, unsupported, valid } from '../check-outcome.ts'
import type { Certificate } from '../keys/certificate.ts'
import { tryRead } from '../parse-errors.ts'
import { hashOf } from './algorithms.ts'
import { base64In, type XmlSignature } from './signature-elements.ts'
import { attributeOf, childOf, childrenOf, textIn, type XmlElement } from './tree.ts'
import { ds, isXades } from './uris.ts'

/**
 * Returns the signed signature properties of XAdES (EN 319 132). Only properties to which the signature has a reference are used:
 * anyone could add others.
 */
function signedPropertiesOf({ element, references }: XmlSignature): XmlElement | undefined {
  const isReferredTo = (properties: XmlElement) => {
    const id = attributeOf(properties, 'Id')
    return id !== undefined && references.some(({ uri }) => uri === `#${id}`)
  }
  const properties = childrenOf(element, ds, 'Object')
    .flatMap(({ children }) => children)
    .flatMap((child) =>
      child.kind === 'element' && isXades(child.uri) ? childrenOf(child, child.uri, 'SignedProperties') : [],
    )
    .find(isReferredTo)
  return properties && childOf(properties, properties.uri, 'SignedSignatureProperties')
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/

/** Returns the signing time that the signer claims; null if it is missing or not valid. A time without an offset counts as UTC. */
export function signingTimeOf(signature: XmlSignature): Date | null {
  const properties = signedPropertiesOf(signature)
  const text = textIn(properties && childOf(properties, properties.uri, 'SigningTime')).trim()
  const [whole, zone] = dateTime.exec(text) ?? []
  const at = new Date(whole && !zone ? `${whole}Z` : (whole ?? Number.NaN))
  return Number.isNaN(at.getTime()) ? null : at
}

/**
 * Compares the certificate with its hash in the signed properties. Valid if these have no hash. The check prevents the substitution
 * of another certificate with the same key.
 */
export async function checkCertificate(
  signature: XmlSignature,
  certificate: Certificate | undefined,
): Promise<CheckOutcome> {
  const digest = certificateDigestOf(signedPropertiesOf(signature))
  if (!digest || !certificate) return valid
  const hash = hashOf(childOf(digest, ds, 'DigestMethod'))
  if (!hash) return unsupported('The signer names the certificate by a hash algorithm that is not supported')
  const value = childOf(digest, ds, 'DigestValue')
  const expected = value && tryRead(() => base64In(value))
  const actual = new Uint8Array(await crypto.subtle.digest(hash, certificate.raw))
  return expected && equal(expected, actual)
    ? valid
    : invalid('The certificate differs from the one that the signer names')
}

/** Returns the digest of the first certificate in the list, which is that of the signer. */
function certificateDigestOf(properties: XmlElement | undefined): XmlElement | undefined {
  if (!properties) return undefined
  const { uri } = properties
  const list = childOf(properties, uri, 'SigningCertificateV2') ?? childOf(properties, uri, 'SigningCertificate')
  return childOf(childOf(list, uri, 'Cert'), uri, 'CertDigest')
}
