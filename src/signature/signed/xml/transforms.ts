// Applies the transforms of a reference (XMLDSig) to the signed data before its digest is computed: canonicalization, base64, XPath
// and enveloped signature.
import { Failure } from '#core/failure'
import { type CheckOutcome, invalid, unsupported } from '../check-outcome.ts'
import { uriOf } from './algorithms.ts'
import { c14nMethodOf, defaultC14n } from './c14n-methods.ts'
import { type Budget, type C14nMethod, canonicalize, inheritsXmlBase, isEmpty, type Subset } from './c14n-writer.ts'
import { readXml } from './reader.ts'
import type { Reference } from './signature-elements.ts'
import type { ReferenceSource, SignedXml } from './signed-xml.ts'
import { textIn, type XmlElement } from './tree.ts'
import { ds } from './uris.ts'
import { excludedBy } from './xpath.ts'

/** The intermediate data between two transforms: nodes of a document, or bytes. */
type TransformData =
  | { kind: 'nodes'; subset: Subset; withComments: boolean }
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> }

/** The result of the transforms of a reference. */
export interface Transformed {
  /** The bytes of which the digest is computed. If a transform failed, the outcome of the check. */
  bytes: Uint8Array<ArrayBuffer> | CheckOutcome
  /** Whether the transforms exclude all data, so that the reference covers nothing. Such a signature must not count as valid. */
  isNothing: boolean
}

/** Outcome of a reference after the work budget of its document is used up. */
export const budgetExceeded = unsupported('The references take more work than is allowed for one document')

/** Outcome of a reference to external data that the request does not give as `content`. */
export const missingContent = unsupported('The signature is detached')

/** Applies the transforms of a reference, and caches in `all.empty` whether the reference covers nothing. */
export function applyTransforms(
  reference: Reference,
  source: ReferenceSource,
  signature: XmlElement,
  all: Pick<SignedXml, 'budget' | 'empty'>,
): Transformed {
  const result = runTransforms(source, reference.transforms, signature, all.budget)
  all.empty.set(reference, result.isNothing)
  return result
}

/** Whether a reference covers nothing. Applies its transforms unless that is cached. */
export const coversNothing = (
  reference: Reference,
  source: ReferenceSource,
  signature: XmlElement,
  all: Pick<SignedXml, 'budget' | 'empty'>,
): boolean => all.empty.get(reference) ?? applyTransforms(reference, source, signature, all).isNothing

function runTransforms(
  source: ReferenceSource,
  transforms: XmlElement[],
  signature: XmlElement,
  budget: Budget,
): Transformed {
  if (budget.units < 0) return { bytes: budgetExceeded, isNothing: false }
  let data = initialData(source)
  if ('result' in data) return { bytes: data, isNothing: false }
  const isEmptySource = data.kind === 'bytes' && data.bytes.length === 0
  let isNothing = false
  budget.units -= unitsPerReference + (data.kind === 'bytes' ? data.bytes.length : 0)
  for (const transform of transforms) {
    if (budget.units < 0) return { bytes: budgetExceeded, isNothing }
    const next = applyTransform(transform, data, signature, budget)
    if ('result' in next) return { bytes: next, isNothing }
    data = next
    // If the root is excluded, the reference counts as covering nothing, although comments and processing instructions around the
    // root may remain.
    if (data.kind === 'nodes' && isEmpty(data.subset)) isNothing = true
  }
  const bytes = data.kind === 'bytes' ? data.bytes : canonicalBytes(data.subset, { ...defaultC14n }, budget)
  return { bytes, isNothing: isNothing || (!('result' in bytes) && bytes.length === 0 && !isEmptySource) }
}

/** Cost of a reference in budget units, in addition to its bytes. */
const unitsPerReference = 2_000

/** Cost of parsing XML in budget units for each byte. */
const unitsPerParsedByte = 3

/** Returns a subset from which further elements are excluded. */
const exclude = ({ apex, isExcluded: before }: Subset, isExcluded: NonNullable<Subset['isExcluded']>): Subset => ({
  apex,
  isExcluded: before ? (element) => before(element) || isExcluded(element) : isExcluded,
})

const subsetOf = (source: Exclude<ReferenceSource, { kind: 'content' }>): Subset => ({
  apex: source.kind === 'document' ? source.document : source.element,
})

function initialData(source: ReferenceSource): TransformData | CheckOutcome {
  if (source.kind === 'content') return source.content ? { kind: 'bytes', bytes: source.content } : missingContent
  return { kind: 'nodes', subset: subsetOf(source), withComments: source.withComments }
}

function applyTransform(
  transform: XmlElement,
  data: TransformData,
  signature: XmlElement,
  budget: Budget,
): TransformData | CheckOutcome {
  const uri = uriOf(transform)
  if (uri === `${ds}enveloped-signature`) {
    if (data.kind === 'bytes')
      return invalid('An enveloped-signature transform is applied to data outside the document of the signature')
    return { ...data, subset: exclude(data.subset, (element) => element === signature) }
  }
  const isExcluded = excludedBy(transform)
  if (isExcluded) {
    const nodes = data.kind === 'nodes' ? data : parseNodes(data.bytes, budget)
    return nodes
      ? { ...nodes, subset: exclude(nodes.subset, isExcluded) }
      : invalid('An XPath transform is applied to data that is not XML')
  }
  if (uri === `${ds}base64`) return decodeBase64(data, budget)
  const how = c14nMethodOf(transform)
  return how ? canonicalizeData(data, how, budget) : unsupported(`The transform ${uri.slice(0, 200)} is not supported`)
}

function decodeBase64(data: TransformData, budget: Budget): TransformData | CheckOutcome {
  if (data.kind === 'nodes' && hasElements(data.subset))
    return unsupported('The base64 transform of an element with child elements is not supported')
  const text = data.kind === 'bytes' ? new TextDecoder().decode(data.bytes) : textOf(data.subset)
  budget.units -= text.length + (data.kind === 'nodes' ? childCount(data.subset) : 0)
  try {
    return { kind: 'bytes', bytes: Uint8Array.fromBase64(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return invalid('A base64 transform is applied to text that is not base64')
    throw error
  }
}

/**
 * Whether a subset has child elements. The base64 transform is not supported then: it would cover only the text, and an attacker
 * could change the markup.
 */
const hasElements = ({ apex }: Subset) => 'root' in apex || apex.children.some(({ kind }) => kind === 'element')

const childCount = ({ apex }: Subset) => ('root' in apex ? 1 : apex.children.length)

const textOf = (subset: Subset): string => {
  const { apex } = subset
  return isEmpty(subset) ? '' : textIn('root' in apex ? apex.root : apex)
}

function canonicalizeData(data: TransformData, how: C14nMethod, budget: Budget): TransformData | CheckOutcome {
  const nodes = data.kind === 'nodes' ? data : parseNodes(data.bytes, budget)
  if (!nodes) return invalid('A canonicalization transform is applied to data that is not XML')
  const bytes = canonicalBytes(nodes.subset, { ...how, withComments: how.withComments && nodes.withComments }, budget)
  return 'result' in bytes ? bytes : { kind: 'bytes', bytes }
}

function parseNodes(bytes: Uint8Array, budget: Budget): Extract<TransformData, { kind: 'nodes' }> | undefined {
  budget.units -= unitsPerParsedByte * bytes.length
  try {
    return { kind: 'nodes', subset: { apex: readXml(bytes) }, withComments: true }
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}

/** Returns the canonical form of a subset in UTF-8, or the outcome `unsupported`. */
export function canonicalBytes(
  subset: Subset,
  how: C14nMethod,
  budget: Budget,
): Uint8Array<ArrayBuffer> | CheckOutcome {
  if (how.kind === '1.1' && !('root' in subset.apex) && inheritsXmlBase(subset.apex)) {
    return unsupported('Canonical XML 1.1 of an element that inherits xml:base is not supported')
  }
  const text = canonicalize(subset, how, budget)
  return new Uint8Array(new TextEncoder().encode(text))
}
