import { nameOf } from '../asn1/distinguished-name.ts'
import { hexOf, serialOf } from '../asn1/values.ts'
import { equal } from '../bytes.ts'
import type { Certificate } from '../keys/certificate.ts'
import { malformed } from '../parse-errors.ts'
import type { Signer } from '../types.ts'
import { algorithmOf } from './algorithms.ts'
import type { SignedData } from './signed-data.ts'
import { attributes, type SignerInfo, signerInfoOf, signingTimeOf, valuesOf } from './signer-info.ts'

/** One who has signed: the content, or another one's signature. */
export interface FoundSigner {
  info: SignerInfo
  certificate: Certificate | undefined
  /** Whom this one counter-signs: its place in the list. */
  countersigns: number | undefined
}

const maxSigners = 50

/** All signers, each followed by those who counter-sign it, and those by theirs. */
export function signersIn({ signers, certificates }: SignedData): FoundSigner[] {
  const found: FoundSigner[] = []
  const add = (info: SignerInfo, countersigns: number | undefined) => {
    if (found.length === maxSigners) throw malformed(`The CMS has more than ${maxSigners} signers`)
    const place = found.push({ info, certificate: certificateOf(info, certificates), countersigns }) - 1
    for (const value of valuesOf(info.unsignedAttributes, attributes.counterSignature)) add(signerInfoOf(value), place)
  }
  for (const info of signers) add(info, undefined)
  return found
}

function certificateOf({ issuer, serial, keyId }: SignerInfo, certificates: Certificate[]): Certificate | undefined {
  return certificates.find((certificate) =>
    issuer && serial
      ? equal(certificate.issuer.raw, issuer.raw) && equal(certificate.serial.raw, serial.raw)
      : keyId && certificate.keyId && equal(certificate.keyId, keyId),
  )
}

/** A signer as it is shown. */
export function signerOf({ info, certificate, countersigns }: FoundSigner): Signer {
  const { issuer = certificate?.issuer, serial = certificate?.serial, keyId } = info
  return {
    subject: certificate ? nameOf(certificate.subject) : null,
    issuer: issuer ? nameOf(issuer) : null,
    serial: serial ? serialOf(serial) : null,
    key_id: keyId ? hexOf(keyId) : null,
    signed_at: signingTimeOf(info),
    algorithm: algorithmOf(info.signatureAlgorithm, info.digestAlgorithm).name,
    countersigns: countersigns ?? null,
  }
}
