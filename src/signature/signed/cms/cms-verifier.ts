import type { Scheme } from '../algorithms.ts'
import { equal } from '../bytes.ts'
import { type CheckOutcome, firstFault, unsupported, worst, wrong } from '../check-outcome.ts'
import { sideBySide } from '../keys/ecdsa.ts'
import { type PublicKey, publicKeyOf } from '../keys/public-key.ts'
import { checkSignature, mismatch } from '../keys/signature-check.ts'
import { weaknessOf } from '../keys/weakness.ts'
import type { Verification, VerifiedSigner } from '../types.ts'
import { algorithmName, algorithmOf, hashOf } from './algorithms.ts'
import { type FoundSigner, signerOf, signersIn } from './cms-signers.ts'
import { checkAlgorithms, checkAttributes, signedBytesOf } from './signed-attributes.ts'
import { type Covered, contentIn, signatureOf } from './signed-content.ts'
import { readSignedData } from './signed-data.ts'
import { checkCertificate } from './signing-certificate.ts'

/** More than parsing takes: what is verified is read again and again. */
const maxValues = 1_000_000

/** Checks each signer of CMS (RFC 5652, section 5.6): its digest, its signature, and which certificate it means. */
export async function verifyCms(
  der: Uint8Array<ArrayBuffer>,
  given: Uint8Array<ArrayBuffer> | undefined,
): Promise<Verification> {
  const data = readSignedData(der, maxValues)
  const content = contentIn(data, given)
  const found = signersIn(data)
  const signers: VerifiedSigner[] = []
  for (const one of found) {
    const covered = one.countersigns === undefined ? content : signatureOf(found[one.countersigns]!)
    signers.push({ ...signerOf(one), ...(await check(one, covered)), covers: [covered.part] })
  }
  const isOther = data.content && given && !equal(given, data.content)
  const verified = isOther ? signers.map(ofOtherContent) : signers
  return { result: worst(verified.map(({ result }) => result)), signers: verified }
}

const otherContent = wrong('The content given is not the one that the signed data carries')

const ofOtherContent = (signer: VerifiedSigner): VerifiedSigner =>
  signer.result === 'valid' ? { ...signer, ...otherContent } : signer

type Checked = Pick<VerifiedSigner, 'result' | 'reason' | 'weak'>

async function check({ info, certificate }: FoundSigner, covered: Covered): Promise<Checked> {
  const { name, scheme } = algorithmOf(info.signatureAlgorithm, info.digestAlgorithm)
  const hash = hashOf(info.digestAlgorithm)
  if (!scheme) return { ...unsupported(`${name} cannot be checked here`), weak: false }
  if (!hash) return { ...unsupported(`${algorithmName(info.digestAlgorithm)} cannot be computed here`), weak: false }
  const key = certificate && publicKeyOf(certificate.key)
  const weakness = weaknessOf(scheme, [hash], key)
  const outcome = key
    ? await firstFault([
        () => checkSigned(scheme, key, signedBytesOf(info, covered), info.signature),
        async () => checkAlgorithms(info),
        () => checkAttributes(info, covered, hash),
        () => checkCertificate(info, certificate),
      ])
    : unsupported('The certificate of the signer is not inside')
  return { ...outcome, reason: outcome.reason ?? weakness, weak: weakness !== null }
}

/** The signature must be of one of these encodings of what is signed. */
async function checkSigned(
  scheme: Scheme,
  key: PublicKey,
  encodings: Uint8Array<ArrayBuffer>[],
  der: Uint8Array<ArrayBuffer>,
): Promise<CheckOutcome> {
  const signature = key.kind === 'EC' ? sideBySide(der, key.curve) : der
  if (!signature) return mismatch
  let outcome = mismatch
  for (const encoding of encodings) {
    outcome = await checkSignature(scheme, key, signature, encoding)
    if (outcome.result !== 'invalid') break
  }
  return outcome
}
