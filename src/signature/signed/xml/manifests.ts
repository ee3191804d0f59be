import { type CheckOutcome, unsupported } from '../check-outcome.ts'
import { readable } from '../parse-errors.ts'
import { maxReferences, type Reference, referenceOf, type XmlSignature } from './signature-elements.ts'
import { isManifest, isOutside, type ReferenceSource, type Signatures, sourceOf } from './signed-xml.ts'
import { coversNothing } from './transforms.ts'
import { childrenOf, type XmlElement } from './tree.ts'
import { ds } from './uris.ts'

const maxManifests = 100

const isSignature = ({ uri, local }: XmlElement) => uri === ds && local === 'Signature'

/** A reference, and what it refers to. */
export interface Referred {
  reference: Reference
  source: ReferenceSource | CheckOutcome
}

/**
 * The references of the Manifests that a signature covers, those included that other Manifests refer to. What the signature
 * signs of a Manifest are digests: nothing that they are of is signed unless they match.
 */
export function manifestReferences(
  signed: Referred[],
  signature: XmlSignature,
  all: Signatures,
): Referred[] | CheckOutcome {
  if (signed.some(isLostManifest)) return unsupported('A reference of the type Manifest is to something else')
  if (all.manifests.length > maxManifests) return unsupported(`There are more than ${maxManifests} Manifests`)
  const done = new Set<XmlElement>()
  const entries: Referred[] = []
  for (let found = signed; found.length > 0; ) {
    const manifests = coveredManifests(found, signature, all).filter((manifest) => !done.has(manifest))
    found = []
    for (const manifest of manifests) {
      done.add(manifest)
      const elements = childrenOf(manifest, ds, 'Reference')
      if (elements.length + entries.length + found.length > maxReferences)
        return unsupported(`The Manifests have more than ${maxReferences} references`)
      const references = readable(() => elements.map(referenceOf))
      if (!references) return unsupported('A Manifest has a reference that cannot be read')
      found.push(...references.map((reference) => ({ reference, source: sourceOf(reference, all) })))
    }
    entries.push(...found)
  }
  const outside = new Set([...all.outside, ...entries.map(({ reference: { uri } }) => uri).filter(isOutside)])
  return entries.map(({ reference, source }) => ({ reference, source: available(source, outside.size) }))
}

/** A detached signature asks for its content; of the files of a Manifest one may be given. */
function available(source: ReferenceSource | CheckOutcome, outside: number): ReferenceSource | CheckOutcome {
  if (!('kind' in source) || source.kind !== 'content') return source
  if (outside > 1) return unsupported('References are to several things outside')
  return source.content ? source : unsupported('A Manifest refers to something outside, which is not given as content')
}

const isLostManifest = ({ reference, source }: Referred) =>
  reference.type === `${ds}Manifest` && 'kind' in source && !(source.kind === 'element' && isManifest(source.element))

/** The Manifests that references are to, or that stand in what they are to, unless they belong to another signature. */
function coveredManifests(referred: Referred[], { element }: XmlSignature, all: Signatures): XmlElement[] {
  const targets = Map.groupBy(referred, ({ source }) => targetOf(source))
  const isCovered = (target: XmlElement | 'document') =>
    targets
      .get(target)
      ?.some(({ reference, source }) => 'kind' in source && !coversNothing(reference, source, element, all)) ?? false
  return all.manifests.filter((manifest) => {
    for (let at: XmlElement | undefined = manifest; at; at = at.parent) {
      // From what is around its own signature that is left out, and other signatures have their own Manifests.
      if (isSignature(at)) return false
      if (isCovered(at)) return true
      if (!at.parent) return isCovered('document')
    }
    return false
  })
}

function targetOf(source: ReferenceSource | CheckOutcome): XmlElement | 'document' | undefined {
  if (!('kind' in source) || source.kind === 'content') return undefined
  return source.kind === 'element' ? source.element : 'document'
}
