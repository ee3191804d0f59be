import type { Hash } from '../algorithms.ts'
import { type Element, elementsOf, tags } from '../asn1/ber.ts'
import { equal } from '../bytes.ts'
import { type CheckOutcome, unsupported, valid, wrong } from '../check-outcome.ts'
import type { Certificate } from '../keys/certificate.ts'
import { readable } from '../parse-errors.ts'
import { hashOf } from './algorithms.ts'
import { attributes, type SignerInfo, valuesOf } from './signer-info.ts'

/** Whether the certificate is the one that the signed attributes name by its hash, if they do (RFC 5035). */
export async function checkCertificate({ signedAttributes }: SignerInfo, { raw }: Certificate): Promise<CheckOutcome> {
  const named = [
    ...valuesOf(signedAttributes, attributes.signingCertificateV2).map((value) => firstOf(value, 'SHA-256')),
    ...valuesOf(signedAttributes, attributes.signingCertificate).map((value) => firstOf(value, 'SHA-1')),
  ]
  for (const first of named) {
    if (!first) return wrong('The signed attributes name the certificate in a way that cannot be read')
    if (!first.hash) return unsupported('The certificate is named by a hash that cannot be computed here')
    const digest = new Uint8Array(await crypto.subtle.digest(first.hash, raw))
    if (!equal(digest, first.digest)) return wrong('The certificate inside is not the one that the signer names')
  }
  return valid
}

interface CertificateHash {
  hash: Hash | undefined
  digest: Uint8Array<ArrayBuffer>
}

/** Of ESSCertID and ESSCertIDv2: the signer's own is the first. */
const firstOf = (value: Element, usual: Hash): CertificateHash | undefined =>
  readable(() => {
    const [list] = elementsOf(value)
    const [first] = list ? elementsOf(list) : []
    const parts = first ? elementsOf(first) : []
    const algorithm = parts[0]?.tag === tags.sequence ? parts.shift() : undefined
    const [digest] = parts
    return digest?.tag === tags.octetString
      ? { hash: algorithm ? hashOf(algorithm) : usual, digest: digest.content }
      : undefined
  })
