// Lists the signers and counter-signers of CMS signed data with their certificates. Does not verify them: cms-verifier.ts does.
import { nameOf } from '../asn1/distinguished-name.ts'
import { hexOf, serialOf } from '../asn1/values.ts'
import { equal } from '../bytes.ts'
import type { Certificate } from '../keys/certificate.ts'
import { malformed } from '../parse-errors.ts'
import type { Signer } from '../types.ts'
import { algorithmOf } from './algorithms.ts'
import type { SignedData } from './signed-data.ts'
import { attributes, type SignerInfo, signerInfoOf, signingTimeOf, valuesOf } from './signer-info.ts'

/** A signer of the content or of another signature, with the certificate that the signer names. */
export interface SignerMatch {
  info: SignerInfo
  certificate: Certificate | undefined
  /** Index in the list of the signer whose signature this signer counter-signs; undefined if the content is signed. */
  countersigns: number | undefined
}

const maxSigners = 50

/** Lists all signers in depth-first order: each signer is followed by its counter-signers. */
export function findSigners({ signers, certificates }: SignedData): SignerMatch[] {
  const matches: SignerMatch[] = []
  const add = (info: SignerInfo, countersigns: number | undefined) => {
    if (matches.length === maxSigners) throw malformed(`The CMS has more than ${maxSigners} signers`)
    const index = matches.push({ info, certificate: certificateOf(info, certificates), countersigns }) - 1
    for (const value of valuesOf(info.unsignedAttributes, attributes.counterSignature)) add(signerInfoOf(value), index)
  }
  for (const info of signers) add(info, undefined)
  return matches
}

function certificateOf({ issuer, serial, keyId }: SignerInfo, certificates: Certificate[]): Certificate | undefined {
  return certificates.find((certificate) =>
    issuer && serial
      ? equal(certificate.issuer.raw, issuer.raw) && equal(certificate.serial.raw, serial.raw)
      : keyId && certificate.keyId && equal(certificate.keyId, keyId),
  )
}

/** Describes a signer for the reply. */
export function signerOf({ info, certificate, countersigns }: SignerMatch): Signer {
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
