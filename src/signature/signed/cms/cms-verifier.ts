// Verifies the signatures of CMS signed data (RFC 5652) for `POST /signature/verify`.
import type { Scheme } from '../algorithms.ts'
import { equal } from '../bytes.ts'
import { type CheckOutcome, firstFault, invalid, unsupported, worstOf } from '../check-outcome.ts'
import { toP1363 } from '../keys/ecdsa.ts'
import { type PublicKey, publicKeyOf } from '../keys/public-key.ts'
import { checkSignature, mismatch } from '../keys/signature-check.ts'
import { weaknessOf } from '../keys/weakness.ts'
import type { Verification, VerifiedSigner } from '../types.ts'
import { algorithmName, algorithmOf, hashOf } from './algorithms.ts'
import { findSigners, type SignerMatch, signerOf } from './cms-signers.ts'
import { checkAlgorithms, checkAttributes, signedBytesOf } from './signed-attributes.ts'
import { contentOf, type SignedContent, signatureOf } from './signed-content.ts'
import { readSignedData } from './signed-data.ts'
import { checkCertificate } from './signing-certificate.ts'

/**
 * Maximum number of ASN.1 values that a verification parses. Higher than the limit at a save, since a verification parses some
 * values repeatedly.
 */
const maxValues = 1_000_000

/** Verifies each signer of CMS signed data (RFC 5652, section 5.6): the signature value, the digest and the signing certificate. */
export async function verifyCms(
  der: Uint8Array<ArrayBuffer>,
  detached: Uint8Array<ArrayBuffer> | undefined,
): Promise<Verification> {
  const data = readSignedData(der, maxValues)
  const content = contentOf(data, detached)
  const matches = findSigners(data)
  const signers: VerifiedSigner[] = []
  for (const one of matches) {
    const covered = one.countersigns === undefined ? content : signatureOf(matches[one.countersigns]!)
    signers.push({ ...signerOf(one), ...(await check(one, covered)), covers: [covered.part] })
  }
  const isOther = data.content && detached && !equal(detached, data.content)
  const verified = isOther ? signers.map(ofOtherContent) : signers
  return { result: worstOf(verified.map(({ result }) => result)), signers: verified }
}

const otherContent = invalid('The given content differs from the content in the signed data')

const ofOtherContent = (signer: VerifiedSigner): VerifiedSigner =>
  signer.result === 'valid' ? { ...signer, ...otherContent } : signer

type Checked = Pick<VerifiedSigner, 'result' | 'reason' | 'weak'>

async function check({ info, certificate }: SignerMatch, covered: SignedContent): Promise<Checked> {
  const { name, scheme } = algorithmOf(info.signatureAlgorithm, info.digestAlgorithm)
  const hash = hashOf(info.digestAlgorithm)
  if (!scheme) return { ...unsupported(`The algorithm ${name} is not supported`), weak: false }
  if (!hash)
    return {
      ...unsupported(`The digest algorithm ${algorithmName(info.digestAlgorithm)} is not supported`),
      weak: false,
    }
  const key = certificate && publicKeyOf(certificate.key)
  const weakness = weaknessOf(scheme, [hash], key)
  const outcome = key
    ? await firstFault([
        () => checkSigned(scheme, key, signedBytesOf(info, covered), info.signature),
        async () => checkAlgorithms(info),
        () => checkAttributes(info, covered, hash),
        () => checkCertificate(info, certificate),
      ])
    : unsupported('The signed data has no certificate of the signer')
  return { ...outcome, reason: outcome.reason ?? weakness, weak: weakness !== null }
}

/** Checks the signature value over each possible encoding of the signed bytes, and accepts it if it matches one of them. */
async function checkSigned(
  scheme: Scheme,
  key: PublicKey,
  encodings: Uint8Array<ArrayBuffer>[],
  der: Uint8Array<ArrayBuffer>,
): Promise<CheckOutcome> {
  const signature = key.kind === 'EC' ? toP1363(der, key.curve) : der
  if (!signature) return mismatch
  let outcome = mismatch
  for (const encoding of encodings) {
    outcome = await checkSignature(scheme, key, signature, encoding)
    if (outcome.result !== 'invalid') break
  }
  return outcome
}
