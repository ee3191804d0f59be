import { invalid } from '#core/failure'
import type { Scheme } from '../algorithms.ts'
import { equal } from '../bytes.ts'
import { type CheckOutcome, firstFault, unsupported, valid, worst, wrong } from '../check-outcome.ts'
import type { PublicKey } from '../keys/public-key.ts'
import { checkSignature } from '../keys/signature-check.ts'
import { weaknessOf } from '../keys/weakness.ts'
import type { Verification, VerifiedSigner } from '../types.ts'
import { algorithmOf, hashOf, uriOf } from './algorithms.ts'
import { canonicalizationOf } from './c14n-methods.ts'
import type { Budget } from './c14n-writer.ts'
import { checkCountersignature } from './countersignatures.ts'
import { keyInfoOf } from './key-info.ts'
import { manifestReferences, type Referred } from './manifests.ts'
import type { Reference, XmlSignature } from './signature-elements.ts'
import { hasOutside, partOf, readSignatures, type Signatures, sourceOf } from './signed-xml.ts'
import { noContent, type Transformed, tooMuch, transformed, written } from './transforms.ts'
import { checkCertificate } from './xades.ts'
import { signerOf } from './xml-signer.ts'

/** Checks each signature of a document (XMLDSig, section 3.2): what it signs, its value, which certificate it means. */
export async function verifyXml(
  bytes: Uint8Array,
  content: Uint8Array<ArrayBuffer> | undefined,
): Promise<Verification> {
  const all = readSignatures(bytes, content)
  if (content && !hasOutside(all)) {
    throw invalid('content', 'Must not be given: the signature refers to nothing outside the XML')
  }
  const signers: VerifiedSigner[] = []
  for (const signature of all.signatures) {
    const checked = await check(signature, all)
    signers.push({ ...signerOf(signature, all), ...checked })
  }
  return { result: worst(signers.map(({ result }) => result)), signers }
}

type Checked = Pick<VerifiedSigner, 'result' | 'reason' | 'weak' | 'covers'>

async function check(signature: XmlSignature, all: Signatures): Promise<Checked> {
  const signed = signature.references.map((reference) => ({ reference, source: sourceOf(reference, all) }))
  const { name, scheme } = algorithmOf(signature.method)
  const { certificate, key } = keyInfoOf(signature.keyInfo)
  // Before the references: a value that does not match is found even if they are more than the budget allows.
  const value = scheme && key && (await checkValue(signature, scheme, key, all.budget))
  const references = await checkReferences(signature, signed, all)
  const entries = manifestReferences(signed, signature, all)
  const listed = 'result' in entries ? [] : await checkReferences(signature, entries, all)
  const covers = [...new Set([...references, ...listed].flatMap(({ parts }) => parts))]
  if (!scheme) return { ...unsupported(`${name} cannot be checked here`), weak: false, covers }
  if (!key || !value)
    return { ...unsupported('Neither the certificate of the signer nor the key is inside'), weak: false, covers }
  const hashes = signature.references.flatMap(({ digestMethod }) => hashOf(digestMethod) ?? [])
  const weakness = weaknessOf(scheme, hashes, key)
  const outcome = await firstFault([
    async () => value,
    async () => outcomeOf(references),
    async () =>
      covers.length > 0 ? valid : wrong('The signature covers nothing: its transforms leave everything out'),
    async () => checkCountersignature(signature, all),
    async () => ('result' in entries ? entries : outcomeOf(listed)),
    () => checkCertificate(signature, certificate),
  ])
  return { ...outcome, reason: outcome.reason ?? weakness, weak: weakness !== null, covers }
}

/** Whether the signature is of what SignedInfo says. */
async function checkValue(
  { canonicalization, signedInfo, value }: XmlSignature,
  scheme: Scheme,
  key: PublicKey,
  budget: Budget,
): Promise<CheckOutcome> {
  const how = canonicalizationOf(canonicalization)
  if (!how) return unsupported('The canonical form of SignedInfo is one that is not written here')
  if (budget.units < 0) return tooMuch
  const bytes = written({ apex: signedInfo }, how, budget)
  return 'result' in bytes ? bytes : checkSignature(scheme, key, value, bytes)
}

/** The outcome of a reference, and the name of the part that it covers: none if its transforms leave everything out. */
interface CheckedReference {
  outcome: CheckOutcome
  parts: string[]
}

async function checkReferences(
  signature: XmlSignature,
  referred: Referred[],
  all: Signatures,
): Promise<CheckedReference[]> {
  const checked: CheckedReference[] = []
  for (const one of referred) checked.push(await checkReference(one, signature, all))
  return checked
}

/** What does not match decides, whatever else could not be checked. */
function outcomeOf(checked: CheckedReference[]): CheckOutcome {
  const outcomes = checked.map(({ outcome }) => outcome)
  if (outcomes.includes(noContent))
    throw invalid('content', 'Is required: the signature is detached from what it signs')
  const result = worst(outcomes.map((outcome) => outcome.result))
  return outcomes.find((outcome) => outcome.result === result) ?? valid
}

async function checkReference(
  { reference, source }: Referred,
  { element }: XmlSignature,
  all: Signatures,
): Promise<CheckedReference> {
  if ('result' in source) return { outcome: source, parts: [] }
  const part = partOf(source, all)
  const { bytes, isNothing } = transformed(reference, source, element, all)
  return { outcome: await checkDigest(reference, bytes), parts: isNothing ? [] : [part] }
}

async function checkDigest({ digestMethod, digest }: Reference, bytes: Transformed['bytes']): Promise<CheckOutcome> {
  const hash = hashOf(digestMethod)
  if (!hash) return unsupported(`The digest ${uriOf(digestMethod).slice(0, 200)} cannot be computed here`)
  if ('result' in bytes) return bytes
  const isSame = equal(new Uint8Array(await crypto.subtle.digest(hash, bytes)), digest)
  return isSame ? valid : wrong('What a reference is to is not what was signed: its digest differs')
}
