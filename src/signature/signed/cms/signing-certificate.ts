// Checks that a CMS signature was made for the certificate that is verified, by the hash of the certificate in the signed
// attributes.
import type { Hash } from '../algorithms.ts'
import { type Element, elementsOf, tags } from '../asn1/ber.ts'
import { equal } from '../bytes.ts'
import { type CheckOutcome, invalid, unsupported, valid } from '../check-outcome.ts'
import type { Certificate } from '../keys/certificate.ts'
import { tryRead } from '../parse-errors.ts'
import { hashOf } from './algorithms.ts'
import { attributes, type SignerInfo, valuesOf } from './signer-info.ts'

/**
 * Compares the certificate with its hash in the signing-certificate attributes (RFC 5035). Valid if there are no such attributes.
 * The check prevents the substitution of another certificate with the same key.
 */
export async function checkCertificate({ signedAttributes }: SignerInfo, { raw }: Certificate): Promise<CheckOutcome> {
  const hashes = [
    ...valuesOf(signedAttributes, attributes.signingCertificateV2).map((value) => firstOf(value, 'SHA-256')),
    ...valuesOf(signedAttributes, attributes.signingCertificate).map((value) => firstOf(value, 'SHA-1')),
  ]
  for (const first of hashes) {
    if (!first) return invalid('The signing-certificate attribute cannot be parsed')
    if (!first.hash) return unsupported('The signer names the certificate by a hash algorithm that is not supported')
    const digest = new Uint8Array(await crypto.subtle.digest(first.hash, raw))
    if (!equal(digest, first.digest)) return invalid('The certificate differs from the one that the signer names')
  }
  return valid
}

interface CertificateHash {
  hash: Hash | undefined
  digest: Uint8Array<ArrayBuffer>
}

/** Reads the first ESSCertID or ESSCertIDv2 of the attribute, which is that of the signer's certificate. */
const firstOf = (value: Element, defaultHash: Hash): CertificateHash | undefined =>
  tryRead(() => {
    const [list] = elementsOf(value)
    const [first] = list ? elementsOf(list) : []
    const parts = first ? elementsOf(first) : []
    const algorithm = parts[0]?.tag === tags.sequence ? parts.shift() : undefined
    const [digest] = parts
    return digest?.tag === tags.octetString
      ? { hash: algorithm ? hashOf(algorithm) : defaultHash, digest: digest.content }
      : undefined
  })
