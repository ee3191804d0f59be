// Verifies the signatures of XML documents (XMLDSig) for `POST /signature/verify`.
import { invalid as invalidParameter } from '#core/failure'
import type { Scheme } from '../algorithms.ts'
import { equal } from '../bytes.ts'
import { type CheckOutcome, firstFault, invalid, unsupported, valid, worstOf } from '../check-outcome.ts'
import type { PublicKey } from '../keys/public-key.ts'
import { checkSignature } from '../keys/signature-check.ts'
import { weaknessOf } from '../keys/weakness.ts'
import type { Verification, VerifiedSigner } from '../types.ts'
import { algorithmOf, hashOf, uriOf } from './algorithms.ts'
import { c14nMethodOf } from './c14n-methods.ts'
import type { Budget } from './c14n-writer.ts'
import { checkCountersignature } from './countersignatures.ts'
import { keyInfoOf } from './key-info.ts'
import { manifestReferences, type ResolvedReference } from './manifests.ts'
import type { Reference, XmlSignature } from './signature-elements.ts'
import { hasExternalReference, partName, readSignedXml, resolveReference, type SignedXml } from './signed-xml.ts'
import { applyTransforms, budgetExceeded, canonicalBytes, missingContent, type Transformed } from './transforms.ts'
import { checkCertificate } from './xades.ts'
import { signerOf } from './xml-signer.ts'

/** Verifies each signature of a document (XMLDSig, section 3.2): its references, its value and its signing certificate. */
export async function verifyXml(
  bytes: Uint8Array,
  content: Uint8Array<ArrayBuffer> | undefined,
): Promise<Verification> {
  const all = readSignedXml(bytes, content)
  if (content && !hasExternalReference(all)) {
    throw invalidParameter('content', 'Must not be given: the XML signature has no external reference')
  }
  const signers: VerifiedSigner[] = []
  for (const signature of all.signatures) {
    const checked = await check(signature, all)
    signers.push({ ...signerOf(signature, all), ...checked })
  }
  return { result: worstOf(signers.map(({ result }) => result)), signers }
}

type Checked = Pick<VerifiedSigner, 'result' | 'reason' | 'weak' | 'covers'>

async function check(signature: XmlSignature, all: SignedXml): Promise<Checked> {
  const signed = signature.references.map((reference) => ({ reference, source: resolveReference(reference, all) }))
  const { name, scheme } = algorithmOf(signature.method)
  const { certificate, key } = keyInfoOf(signature.keyInfo)
  // The value is checked before the references: a wrong value is then found even if the references use up the work budget.
  const value = scheme && key && (await checkValue(signature, scheme, key, all.budget))
  const references = await checkReferences(signature, signed, all)
  const entries = manifestReferences(signed, signature, all)
  const checkedEntries = 'result' in entries ? [] : await checkReferences(signature, entries, all)
  const covers = [...new Set([...references, ...checkedEntries].flatMap(({ parts }) => parts))]
  if (!scheme) return { ...unsupported(`The algorithm ${name} is not supported`), weak: false, covers }
  if (!key || !value)
    return {
      ...unsupported('The signed data has neither the certificate nor the key of the signer'),
      weak: false,
      covers,
    }
  const hashes = signature.references.flatMap(({ digestMethod }) => hashOf(digestMethod) ?? [])
  const weakness = weaknessOf(scheme, hashes, key)
  const outcome = await firstFault([
    async () => value,
    async () => outcomeOf(references),
    async () =>
      covers.length > 0 ? valid : invalid('The signature covers nothing: its transforms leave everything out'),
    async () => checkCountersignature(signature, all),
    async () => ('result' in entries ? entries : outcomeOf(checkedEntries)),
    () => checkCertificate(signature, certificate),
  ])
  return { ...outcome, reason: outcome.reason ?? weakness, weak: weakness !== null, covers }
}

/** Checks the signature value, which covers the canonical form of the element SignedInfo. */
async function checkValue(
  { canonicalization, signedInfo, value }: XmlSignature,
  scheme: Scheme,
  key: PublicKey,
  budget: Budget,
): Promise<CheckOutcome> {
  const how = c14nMethodOf(canonicalization)
  if (!how) return unsupported('The canonicalization method of SignedInfo is not supported')
  if (budget.units < 0) return budgetExceeded
  const bytes = canonicalBytes({ apex: signedInfo }, how, budget)
  return 'result' in bytes ? bytes : checkSignature(scheme, key, value, bytes)
}

/**
 * The outcome of a reference, and in `parts` the name of the part that it covers. `parts` is empty if the transforms exclude
 * everything.
 */
interface CheckedReference {
  outcome: CheckOutcome
  parts: string[]
}

async function checkReferences(
  signature: XmlSignature,
  referred: ResolvedReference[],
  all: SignedXml,
): Promise<CheckedReference[]> {
  const checked: CheckedReference[] = []
  for (const one of referred) checked.push(await checkReference(one, signature, all))
  return checked
}

/** Combines the outcomes of references. A digest that does not match takes precedence over references that are unsupported. */
function outcomeOf(checked: CheckedReference[]): CheckOutcome {
  const outcomes = checked.map(({ outcome }) => outcome)
  if (outcomes.includes(missingContent))
    throw invalidParameter('content', 'Is required, because the signature is detached')
  const result = worstOf(outcomes.map((outcome) => outcome.result))
  return outcomes.find((outcome) => outcome.result === result) ?? valid
}

async function checkReference(
  { reference, source }: ResolvedReference,
  { element }: XmlSignature,
  all: SignedXml,
): Promise<CheckedReference> {
  if ('result' in source) return { outcome: source, parts: [] }
  const part = partName(source, all)
  const { bytes, isNothing } = applyTransforms(reference, source, element, all)
  return { outcome: await checkDigest(reference, bytes), parts: isNothing ? [] : [part] }
}

async function checkDigest({ digestMethod, digest }: Reference, bytes: Transformed['bytes']): Promise<CheckOutcome> {
  const hash = hashOf(digestMethod)
  if (!hash) return unsupported(`The digest algorithm ${uriOf(digestMethod).slice(0, 200)} is not supported`)
  if ('result' in bytes) return bytes
  const isSame = equal(new Uint8Array(await crypto.subtle.digest(hash, bytes)), digest)
  return isSame ? valid : invalid('The digest of a reference does not match the signed digest')
}
