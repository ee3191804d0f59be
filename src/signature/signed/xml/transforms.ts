import { Failure, invalid } from '#core/failure'
import { type Outcome, unsupported, wrong } from '../outcome.ts'
import { uriOf } from './algorithms.ts'
import { type Budget, type Canonical, canonical, hasBaseAround, type Subset } from './c14n.ts'
import { canonicalizationOf, usual } from './canonicalization.ts'
import { readXml } from './reader.ts'
import type { Source } from './source.ts'
import { textIn, type XmlElement } from './tree.ts'
import { ds } from './uris.ts'

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
  if (form.kind === 'bytes') budget.units -= form.bytes.length
  for (const transform of transforms) {
    if (budget.units < 0) return unsupported('The references are to more than is read here')
    const next = applied(transform, form, signature, budget)
    if ('result' in next) return next
    form = next
  }
  return form.kind === 'bytes' ? form.bytes : written(form.subset, { ...usual }, budget)
}

function formOf(source: Source): Form {
  if (source.kind === 'content') {
    if (source.content) return { kind: 'bytes', bytes: source.content }
    throw invalid('content', 'Is required: the signature is detached from what it signs')
  }
  const apex = source.kind === 'document' ? source.document : source.element
  return { kind: 'nodes', subset: { apex, without: undefined }, withComments: source.withComments }
}

function applied(transform: XmlElement, form: Form, signature: XmlElement, budget: Budget): Form | Outcome {
  const uri = uriOf(transform)
  if (uri === `${ds}enveloped-signature`) {
    if (form.kind === 'bytes') return wrong('A reference takes the signature out of what is not its document')
    return { ...form, subset: { ...form.subset, without: signature } }
  }
  if (uri === `${ds}base64`) return decoded(form, budget)
  const how = canonicalizationOf(transform)
  return how ? canonicalized(form, how, budget) : unsupported(`The transform ${uri.slice(0, 200)} is not done here`)
}

function decoded(form: Form, budget: Budget): Form | Outcome {
  if (form.kind === 'nodes' && hasElements(form.subset))
    return unsupported('Base64 with elements inside is not read here')
  const text = textOf(form)
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

function textOf(form: Form): string {
  if (form.kind === 'bytes') return new TextDecoder().decode(form.bytes)
  const { apex } = form.subset
  return textIn('root' in apex ? apex.root : apex)
}

function canonicalized(form: Form, how: Canonical, budget: Budget): Form | Outcome {
  const nodes = form.kind === 'nodes' ? form : parsed(form.bytes)
  if (!nodes) return wrong('A reference has the canonical form of what is not XML')
  const bytes = written(nodes.subset, { ...how, withComments: how.withComments && nodes.withComments }, budget)
  return 'result' in bytes ? bytes : { kind: 'bytes', bytes }
}

function parsed(bytes: Uint8Array): Extract<Form, { kind: 'nodes' }> | undefined {
  try {
    return { kind: 'nodes', subset: { apex: readXml(bytes), without: undefined }, withComments: true }
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
