// Handles counter-signatures in XML: finds the signature that another one signs, and rejects misplaced ones.
import { type CheckOutcome, invalid, valid } from '../check-outcome.ts'
import type { XmlSignature } from './signature-elements.ts'
import { resolveReference, type SignedXml, signedIndexOf } from './signed-xml.ts'
import { coversNothing } from './transforms.ts'
import type { XmlElement } from './tree.ts'
import { ds, isXades } from './uris.ts'

const countersignedType = 'http://uri.etsi.org/01903#CountersignedSignature'

/** Returns the index of the signature that `signature` counter-signs; null if it is not a counter-signature. */
export function countersignedIndex(signature: XmlSignature, all: SignedXml): number | null {
  const indexes = indexesOf(signature, all)
  const parent = parentIndexOf(signature, all)
  return indexes.find((index) => index === parent) ?? indexes.find((index) => index >= 0) ?? null
}

/**
 * Checks that a counter-signature signs the right signature (EN 319 132-1, section 5.2.7), so that an attacker cannot plant one.
 * Inside a CounterSignature element, it must sign the value of the surrounding signature. A reference of Type
 * CountersignedSignature must refer to the value of some signature.
 */
export function checkCountersignature(signature: XmlSignature, all: SignedXml): CheckOutcome {
  const indexes = indexesOf(signature, all)
  const parent = parentIndexOf(signature, all)
  const isTyped = (i: number) => signature.references[i]!.type === countersignedType
  if (parent !== undefined && !indexes.includes(parent)) return wrongTarget
  const isMisplaced = (index: number, i: number) =>
    isTyped(i) && (index < 0 || (parent !== undefined && index !== parent))
  return indexes.some(isMisplaced) ? wrongTarget : valid
}

const wrongTarget = invalid('A counter-signature does not sign the signature that it belongs to')

/**
 * Returns, for each reference, the index of the signature whose value the reference covers. The index is -1 for any other
 * reference, for the signature itself, and if the transforms exclude the value.
 */
const indexesOf = (signature: XmlSignature, all: SignedXml): number[] =>
  signature.references.map((reference) => {
    const source = resolveReference(reference, all)
    const index = 'kind' in source ? signedIndexOf(source, all) : -1
    if (!('kind' in source) || index < 0 || all.signatures[index] === signature) return -1
    return coversNothing(reference, source, signature.element, all) ? -1 : index
  })

/**
 * Returns the index of the signature around the CounterSignature element in which a signature is; undefined if it is not inside
 * such an element.
 */
function parentIndexOf({ element }: XmlSignature, { signatures }: SignedXml): number | undefined {
  const { parent } = element
  if (!parent || !isXades(parent.uri) || parent.local !== 'CounterSignature') return undefined
  for (let at: XmlElement | undefined = parent; at; at = at.parent)
    if (at.uri === ds && at.local === 'Signature') return signatures.findIndex((other) => other.element === at)
  return -2 // The CounterSignature element is not inside a signature, so no reference can match.
}
