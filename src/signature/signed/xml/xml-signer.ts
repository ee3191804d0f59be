// Describes the signer of an XML signature: the certificate's names, the signing time and the algorithm.
import { nameOf } from '../asn1/distinguished-name.ts'
import { serialOf } from '../asn1/values.ts'
import type { Signer } from '../types.ts'
import { algorithmOf } from './algorithms.ts'
import { countersignedIndex } from './countersignatures.ts'
import { type KeyInfo, keyInfoOf } from './key-info.ts'
import type { XmlSignature } from './signature-elements.ts'
import type { SignedXml } from './signed-xml.ts'
import { signingTimeOf } from './xades.ts'

/** Describes the signer of a signature for the reply. */
export function signerOf(signature: XmlSignature, all: SignedXml): Signer {
  const info = keyInfoOf(signature.keyInfo)
  return {
    ...namesOf(info),
    key_id: null,
    signed_at: signingTimeOf(signature),
    algorithm: algorithmOf(signature.method).name,
    countersigns: countersignedIndex(signature, all),
  }
}

function namesOf({ certificate, issuer, serial }: KeyInfo): Pick<Signer, 'subject' | 'issuer' | 'serial'> {
  if (!certificate) return { subject: null, issuer: issuer ?? null, serial: serial ? hexOf(BigInt(serial)) : null }
  return {
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    serial: serialOf(certificate.serial),
  }
}

function hexOf(serial: bigint): string {
  const hex = (serial < 0n ? -serial : serial).toString(16).toUpperCase()
  return `${serial < 0n ? '-' : ''}${hex.length % 2 ? '0' : ''}${hex}`
}
