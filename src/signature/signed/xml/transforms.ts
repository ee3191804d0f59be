import { Failure, invalid } from '#core/failure'
import { type Outcome, unsupported, wrong } from '../outcome.ts'
import { uriOf } from './algorithms.ts'
import { type Budget, type Canonical, canonical, hasBaseAround, isEmpty, type Subset } from './c14n.ts'
import { canonicalizationOf, usual } from './canonicalization.ts'
import { readXml } from './reader.ts'
import type { Source } from './source.ts'
import { textIn, type XmlElement } from './tree.ts'
import { ds } from './uris.ts'
import { leftOutBy } from './xpath.ts'

/** What has become of what a reference refers to on the way through its transforms. */
type Form = { kind: 'nodes'; subset: Subset; withComments: boolean } | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> }

/** The bytes whose digest a reference has; or why there are none. */
export function transformed(
  source: Source,
  transforms: XmlElement[],
  signature: XmlElement,
  budget: Budget,
): Uint8Array<ArrayBuffer> | Outcome {
  let form = formOf(source)
  budget.units -= unitsPerReference + (form.kind === 'bytes' ? form.bytes.length : 0)
  for (const transform of transforms) {
    if (budget.units < 0) return unsupported('The references are to more than is read here')
    const next = applied(transform, form, signature, budget)
    if ('result' in next) return next
    form = next
  }
  return form.kind === 'bytes' ? form.bytes : written(form.subset, { ...usual }, budget)
}

/** What a digest takes, apart from its bytes. */
const unitsPerReference = 2_000

/** What reading XML takes, in units for each of its bytes. */
const unitsPerByteRead = 3

/**
 * Whether nothing of a part of the document is signed by a reference: its transforms leave all of it out, or it is the base64 of no
 * bytes.
 */
export function coversNothing(source: Source, transforms: XmlElement[], signature: XmlElement): boolean {
  if (source.kind === 'content') return false
  let subset = subsetOf(source)
  for (const transform of transforms) {
    const isLeftOut = leftOutIn(transform, signature)
    if (isLeftOut) subset = less(subset, isLeftOut)
    // Its text alone is signed, and an element inside makes it unsupported.
    else if (uriOf(transform) === `${ds}base64`) return isEmpty(subset) || textOf(subset).trim() === ''
    else break
  }
  return isEmpty(subset)
}

/** Which elements a transform leaves out, with all inside them; undefined for a transform of another kind. */
function leftOutIn(transform: XmlElement, signature: XmlElement): Subset['isLeftOut'] {
  return uriOf(transform) === `${ds}enveloped-signature` ? (element) => element === signature : leftOutBy(transform)
}

const less = ({ apex, isLeftOut: before }: Subset, isLeftOut: NonNullable<Subset['isLeftOut']>): Subset => ({
  apex,
  isLeftOut: before ? (element) => before(element) || isLeftOut(element) : isLeftOut,
})

const subsetOf = (source: Exclude<Source, { kind: 'content' }>): Subset => ({
  apex: source.kind === 'document' ? source.document : source.element,
})

function formOf(source: Source): Form {
  if (source.kind === 'content') {
    if (source.content) return { kind: 'bytes', bytes: source.content }
    throw invalid('content', 'Is required: the signature is detached from what it signs')
  }
  return { kind: 'nodes', subset: subsetOf(source), withComments: source.withComments }
}

function applied(transform: XmlElement, form: Form, signature: XmlElement, budget: Budget): Form | Outcome {
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

function decoded(form: Form, budget: Budget): Form | Outcome {
  if (form.kind === 'nodes' && hasElements(form.subset))
    return unsupported('Base64 with elements inside is not read here')
  const text = form.kind === 'bytes' ? new TextDecoder().decode(form.bytes) : textOf(form.subset)
  budget.units -= text.length
  try {
    return { kind: 'bytes', bytes: Uint8Array.fromBase64(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return wrong('A reference is to base64 that is none')
    throw error
  }
}

/** Of such a part base64 would be the text alone, and everything else could change. */
const hasElements = ({ apex }: Subset) => 'root' in apex || apex.children.some(({ kind }) => kind === 'element')

const textOf = (subset: Subset): string => {
  const { apex } = subset
  return isEmpty(subset) ? '' : textIn('root' in apex ? apex.root : apex)
}

function canonicalized(form: Form, how: Canonical, budget: Budget): Form | Outcome {
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
export function written(subset: Subset, how: Canonical, budget: Budget): Uint8Array<ArrayBuffer> | Outcome {
  if (how.kind === '1.1' && !('root' in subset.apex) && hasBaseAround(subset.apex)) {
    return unsupported('Canonical XML 1.1 of what inherits xml:base is not written here')
  }
  const text = canonical(subset, how, budget)
  return new Uint8Array(new TextEncoder().encode(text))
}
