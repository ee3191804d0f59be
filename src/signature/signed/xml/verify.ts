import { invalid } from '#core/failure'
import type { Scheme } from '../algorithms.ts'
import { equal } from '../bytes.ts'
import { checkSignature } from '../keys/check.ts'
import type { PublicKey } from '../keys/public-key.ts'
import { weaknessOf } from '../keys/weak.ts'
import { firstFault, type Outcome, unsupported, valid, worst, wrong } from '../outcome.ts'
import type { Verification, VerifiedSigner } from '../signed.ts'
import { algorithmOf, hashOf, uriOf } from './algorithms.ts'
import type { Budget } from './c14n.ts'
import { canonicalizationOf } from './canonicalization.ts'
import { checkCountersignature } from './countersignatures.ts'
import { keyInfoOf } from './key-info.ts'
import { manifestReferences, type Referred } from './manifests.ts'
import type { XmlSignature } from './signature.ts'
import { signerOf } from './signers.ts'
import { hasOutside, partOf, readSignatures, type Signatures, sourceOf } from './source.ts'
import { coversNothing, transformed, written } from './transforms.ts'
import type { XmlElement } from './tree.ts'
import { checkCertificate } from './xades.ts'

/** Each of many references may be to all of a document. */
const maxUnits = 100_000_000

/** Checks each signature of a document (XMLDSig, section 3.2): what it signs, its value, which certificate it means. */
export async function verifyXml(
  bytes: Uint8Array,
  content: Uint8Array<ArrayBuffer> | undefined,
): Promise<Verification> {
  const all = readSignatures(bytes, content)
  if (content && !hasOutside(all)) {
    throw invalid('content', 'Must not be given: the signature refers to nothing outside')
  }
  const budget = { units: maxUnits }
  const signers: VerifiedSigner[] = []
  for (const signature of all.signatures) {
    signers.push({ ...signerOf(signature, all), ...(await check(signature, all, budget)) })
  }
  return { result: worst(signers.map(({ result }) => result)), signers }
}

type Checked = Pick<VerifiedSigner, 'result' | 'reason' | 'weak' | 'covers'>

async function check(signature: XmlSignature, all: Signatures, budget: Budget): Promise<Checked> {
  const signed = signature.references.map((reference) => ({ reference, source: sourceOf(reference, all) }))
  const entries = manifestReferences(signed, all)
  const referred = 'result' in entries ? signed : [...signed, ...entries]
  const covers = [...new Set(referred.flatMap((one) => partIn(one, signature, all)))]
  const { name, scheme } = algorithmOf(signature.method)
  const { certificate, key } = keyInfoOf(signature.keyInfo)
  if (!scheme) return { ...unsupported(`${name} cannot be checked here`), weak: false, covers }
  if (!key)
    return { ...unsupported('Neither the certificate of the signer nor the key is inside'), weak: false, covers }
  const hashes = signature.references.flatMap(({ digestMethod }) => hashOf(digestMethod) ?? [])
  const weakness = weaknessOf(scheme, hashes, key)
  const outcome = await firstFault([
    () => checkValue(signature, scheme, key, budget),
    () => checkReferences(signature, signed, budget),
    async () =>
      covers.length > 0 ? valid : wrong('The signature covers nothing: its transforms leave everything out'),
    async () => checkCountersignature(signature, all),
    async () => ('result' in entries ? entries : checkReferences(signature, entries, budget)),
    () => checkCertificate(signature, certificate),
  ])
  return { ...outcome, reason: outcome.reason ?? weakness, weak: weakness !== null, covers }
}

/** What a reference signs, by its name; nothing if its transforms leave all of it out. */
function partIn({ reference, source }: Referred, { element }: XmlSignature, all: Signatures): string[] {
  if (!('kind' in source) || coversNothing(source, reference.transforms, element)) return []
  return [partOf(source, all)]
}

/** Whether the signature is of what SignedInfo says. */
async function checkValue(
  { canonicalization, signedInfo, value }: XmlSignature,
  scheme: Scheme,
  key: PublicKey,
  budget: Budget,
): Promise<Outcome> {
  const how = canonicalizationOf(canonicalization)
  if (!how) return unsupported('The canonical form of SignedInfo is one that is not written here')
  if (budget.units < 0) return tooMuch
  const bytes = written({ apex: signedInfo }, how, budget)
  return 'result' in bytes ? bytes : checkSignature(scheme, key, value, bytes)
}

/** What does not match decides, whatever else could not be checked. */
async function checkReferences({ element }: XmlSignature, referred: Referred[], budget: Budget): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (const one of referred) outcomes.push(await checkReference(one, element, budget))
  const result = worst(outcomes.map((outcome) => outcome.result))
  return outcomes.find((outcome) => outcome.result === result) ?? valid
}

const tooMuch = unsupported('The references are to more than is read here')

async function checkReference(
  { reference: { transforms, digestMethod, digest }, source }: Referred,
  signature: XmlElement,
  budget: Budget,
): Promise<Outcome> {
  if ('result' in source) return source
  if (budget.units < 0) return tooMuch
  const hash = hashOf(digestMethod)
  if (!hash) return unsupported(`The digest ${uriOf(digestMethod).slice(0, 200)} cannot be computed here`)
  const bytes = transformed(source, transforms, signature, budget)
  if ('result' in bytes) return bytes
  const isSame = equal(new Uint8Array(await crypto.subtle.digest(hash, bytes)), digest)
  return isSame ? valid : wrong('What a reference is to is not what was signed: its digest differs')
}
