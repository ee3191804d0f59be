import { type CheckOutcome, valid, wrong } from '../check-outcome.ts'
import type { XmlSignature } from './signature-elements.ts'
import { type Signatures, signedBy, sourceOf } from './signed-xml.ts'
import { coversNothing } from './transforms.ts'
import type { XmlElement } from './tree.ts'
import { ds, isXades } from './uris.ts'

const countersignedType = 'http://uri.etsi.org/01903#CountersignedSignature'

/** The place of the signature whose value this one refers to. */
export function countersigned(signature: XmlSignature, all: Signatures): number | null {
  const places = placesOf(signature, all)
  const parent = parentOf(signature, all)
  return places.find((place) => place === parent) ?? places.find((place) => place >= 0) ?? null
}

/**
 * Whether a signature that says that it is a counter-signature signs another one's value (EN 319 132-1, section 5.2.7): by its
 * place in CounterSignature that of the signature around, by the Type of a reference that of any.
 */
export function checkCountersignature(signature: XmlSignature, all: Signatures): CheckOutcome {
  const places = placesOf(signature, all)
  const parent = parentOf(signature, all)
  const isTyped = (i: number) => signature.references[i]!.type === countersignedType
  if (parent !== undefined && !places.includes(parent)) return elsewhere
  const isWrong = (place: number, i: number) => isTyped(i) && (place < 0 || (parent !== undefined && place !== parent))
  return places.some(isWrong) ? elsewhere : valid
}

const elsewhere = wrong('A counter-signature is not of the signature value that it stands for')

/**
 * For each reference the place of the signature whose value it covers; -1 for any other reference, for one whose transforms
 * leave the value out, and for the signature itself.
 */
const placesOf = (signature: XmlSignature, all: Signatures): number[] =>
  signature.references.map((reference) => {
    const source = sourceOf(reference, all)
    const place = 'kind' in source ? signedBy(source, all) : -1
    if (!('kind' in source) || place < 0 || all.signatures[place] === signature) return -1
    return coversNothing(reference, source, signature.element, all) ? -1 : place
  })

/** The place of the signature that has this one in a CounterSignature; undefined if it is in none. */
function parentOf({ element }: XmlSignature, { signatures }: Signatures): number | undefined {
  const { parent } = element
  if (!parent || !isXades(parent.uri) || parent.local !== 'CounterSignature') return undefined
  for (let at: XmlElement | undefined = parent; at; at = at.parent)
    if (at.uri === ds && at.local === 'Signature') return signatures.findIndex((other) => other.element === at)
  return -2 // In no signature: nothing that it could sign.
}
