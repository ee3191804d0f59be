import { Failure } from '#core/failure'
import { type CheckOutcome, unsupported, wrong } from '../check-outcome.ts'
import { uriOf } from './algorithms.ts'
import { canonicalizationOf, usual } from './c14n-methods.ts'
import { type Budget, type Canonical, canonical, hasBaseAround, isEmpty, type Subset } from './c14n-writer.ts'
import { readXml } from './reader.ts'
import type { Reference } from './signature-elements.ts'
import type { ReferenceSource, Signatures } from './signed-xml.ts'
import { textIn, type XmlElement } from './tree.ts'
import { ds } from './uris.ts'
import { leftOutBy } from './xpath.ts'

/** What has become of what a reference refers to on the way through its transforms. */
type Form = { kind: 'nodes'; subset: Subset; withComments: boolean } | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> }

/** The result of the transforms of a reference. */
export interface Transformed {
  /** The bytes whose digest the reference has, or the reason why there are none. */
  bytes: Uint8Array<ArrayBuffer> | CheckOutcome
  /** Whether nothing of the source is left in the bytes, so that the reference covers nothing. */
  isNothing: boolean
}

/** The outcome of a reference after the work budget of its document is spent. */
export const tooMuch = unsupported('The references are to more than is read here')

/** The outcome of a reference to something outside of the document that the caller has not given. */
export const noContent = unsupported('The signature is detached from what it signs')

/** Applies the transforms of a reference, and notes whether the reference covers nothing. */
export function transformed(
  reference: Reference,
  source: ReferenceSource,
  signature: XmlElement,
  all: Pick<Signatures, 'budget' | 'empty'>,
): Transformed {
  const result = transform(source, reference.transforms, signature, all.budget)
  all.empty.set(reference, result.isNothing)
  return result
}

/** Whether a reference covers nothing. Applies its transforms unless that was done before. */
export const coversNothing = (
  reference: Reference,
  source: ReferenceSource,
  signature: XmlElement,
  all: Pick<Signatures, 'budget' | 'empty'>,
): boolean => all.empty.get(reference) ?? transformed(reference, source, signature, all).isNothing

function transform(
  source: ReferenceSource,
  transforms: XmlElement[],
  signature: XmlElement,
  budget: Budget,
): Transformed {
  if (budget.units < 0) return { bytes: tooMuch, isNothing: false }
  let form = formOf(source)
  if ('result' in form) return { bytes: form, isNothing: false }
  const isEmptySource = form.kind === 'bytes' && form.bytes.length === 0
  let isNothing = false
  budget.units -= unitsPerReference + (form.kind === 'bytes' ? form.bytes.length : 0)
  for (const transform of transforms) {
    if (budget.units < 0) return { bytes: tooMuch, isNothing }
    const next = applied(transform, form, signature, budget)
    if ('result' in next) return { bytes: next, isNothing }
    form = next
    // Comments and processing instructions around a root that is left out do not count as covered.
    if (form.kind === 'nodes' && isEmpty(form.subset)) isNothing = true
  }
  const bytes = form.kind === 'bytes' ? form.bytes : written(form.subset, { ...usual }, budget)
  return { bytes, isNothing: isNothing || (!('result' in bytes) && bytes.length === 0 && !isEmptySource) }
}

/** What a digest takes, apart from its bytes. */
const unitsPerReference = 2_000

/** What reading XML takes, in units for each of its bytes. */
const unitsPerByteRead = 3

const less = ({ apex, isLeftOut: before }: Subset, isLeftOut: NonNullable<Subset['isLeftOut']>): Subset => ({
  apex,
  isLeftOut: before ? (element) => before(element) || isLeftOut(element) : isLeftOut,
})

const subsetOf = (source: Exclude<ReferenceSource, { kind: 'content' }>): Subset => ({
  apex: source.kind === 'document' ? source.document : source.element,
})

function formOf(source: ReferenceSource): Form | CheckOutcome {
  if (source.kind === 'content') return source.content ? { kind: 'bytes', bytes: source.content } : noContent
  return { kind: 'nodes', subset: subsetOf(source), withComments: source.withComments }
}

function applied(transform: XmlElement, form: Form, signature: XmlElement, budget: Budget): Form | CheckOutcome {
  const uri = uriOf(transform)
  if (uri === `${ds}enveloped-signature`) {
    if (form.kind === 'bytes') return wrong('A reference takes the signature out of what is not its document')
    return { ...form, subset: less(form.subset, (element) => element === signature) }
  }
  const isLeftOut = leftOutBy(transform)
  if (isLeftOut) {
    const nodes = form.kind === 'nodes' ? form : parsed(form.bytes, budget)
    return nodes ? { ...nodes, subset: less(nodes.subset, isLeftOut) } : wrong('A reference filters what is not XML')
  }
  if (uri === `${ds}base64`) return decoded(form, budget)
  const how = canonicalizationOf(transform)
  return how ? canonicalized(form, how, budget) : unsupported(`The transform ${uri.slice(0, 200)} is not done here`)
}

function decoded(form: Form, budget: Budget): Form | CheckOutcome {
  if (form.kind === 'nodes' && hasElements(form.subset))
    return unsupported('Base64 with elements inside is not read here')
  const text = form.kind === 'bytes' ? new TextDecoder().decode(form.bytes) : textOf(form.subset)
  budget.units -= text.length + (form.kind === 'nodes' ? childCount(form.subset) : 0)
  try {
    return { kind: 'bytes', bytes: Uint8Array.fromBase64(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return wrong('A reference is to base64 that is none')
    throw error
  }
}

/** Of such a part base64 would be the text alone, and everything else could change. */
const hasElements = ({ apex }: Subset) => 'root' in apex || apex.children.some(({ kind }) => kind === 'element')

const childCount = ({ apex }: Subset) => ('root' in apex ? 1 : apex.children.length)

const textOf = (subset: Subset): string => {
  const { apex } = subset
  return isEmpty(subset) ? '' : textIn('root' in apex ? apex.root : apex)
}

function canonicalized(form: Form, how: Canonical, budget: Budget): Form | CheckOutcome {
  const nodes = form.kind === 'nodes' ? form : parsed(form.bytes, budget)
  if (!nodes) return wrong('A reference has the canonical form of what is not XML')
  const bytes = written(nodes.subset, { ...how, withComments: how.withComments && nodes.withComments }, budget)
  return 'result' in bytes ? bytes : { kind: 'bytes', bytes }
}

function parsed(bytes: Uint8Array, budget: Budget): Extract<Form, { kind: 'nodes' }> | undefined {
  budget.units -= unitsPerByteRead * bytes.length
  try {
    return { kind: 'nodes', subset: { apex: readXml(bytes) }, withComments: true }
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}

/** The canonical form in UTF-8. */
export function written(subset: Subset, how: Canonical, budget: Budget): Uint8Array<ArrayBuffer> | CheckOutcome {
  if (how.kind === '1.1' && !('root' in subset.apex) && hasBaseAround(subset.apex)) {
    return unsupported('Canonical XML 1.1 of what inherits xml:base is not written here')
  }
  const text = canonical(subset, how, budget)
  return new Uint8Array(new TextEncoder().encode(text))
}
