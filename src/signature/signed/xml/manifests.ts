// Collects the references in Manifests (XMLDSig, section 5.1), lists of digests that a signature covers, so that the verifier
// checks them too.
import { type CheckOutcome, unsupported } from '../check-outcome.ts'
import { tryRead } from '../parse-errors.ts'
import { maxReferences, type Reference, referenceOf, type XmlSignature } from './signature-elements.ts'
import { isExternal, isManifest, type ReferenceSource, resolveReference, type SignedXml } from './signed-xml.ts'
import { coversNothing } from './transforms.ts'
import { childrenOf, type XmlElement } from './tree.ts'
import { ds } from './uris.ts'

const maxManifests = 100

const isSignatureElement = ({ uri, local }: XmlElement) => uri === ds && local === 'Signature'

/** A reference with the data that it refers to. If that data is not available, `source` is the outcome of the check. */
export interface ResolvedReference {
  reference: Reference
  source: ReferenceSource | CheckOutcome
}

/**
 * Returns the references in the Manifests that a signature covers, including nested Manifests. The signature value covers only the
 * digests in a Manifest, so the caller must compare each digest with its data.
 */
export function manifestReferences(
  signed: ResolvedReference[],
  signature: XmlSignature,
  all: SignedXml,
): ResolvedReference[] | CheckOutcome {
  if (signed.some(isMissingManifest))
    return unsupported('A reference of the type Manifest does not refer to a Manifest')
  if (all.manifests.length > maxManifests) return unsupported(`The document has more than ${maxManifests} Manifests`)
  const seen = new Set<XmlElement>()
  const entries: ResolvedReference[] = []
  for (let pending = signed; pending.length > 0; ) {
    const manifests = coveredManifests(pending, signature, all).filter((manifest) => !seen.has(manifest))
    pending = []
    for (const manifest of manifests) {
      seen.add(manifest)
      const elements = childrenOf(manifest, ds, 'Reference')
      if (elements.length + entries.length + pending.length > maxReferences)
        return unsupported(`The Manifests have more than ${maxReferences} references`)
      const references = tryRead(() => elements.map(referenceOf))
      if (!references) return unsupported('A Manifest has a reference that cannot be parsed')
      pending.push(...references.map((reference) => ({ reference, source: resolveReference(reference, all) })))
    }
    entries.push(...pending)
  }
  const external = new Set([...all.external, ...entries.map(({ reference: { uri } }) => uri).filter(isExternal)])
  return entries.map(({ reference, source }) => ({ reference, source: availableSource(source, external.size) }))
}

/**
 * Returns the source of a Manifest's reference. If the source is external, it must be given as `content`, and only one external
 * resource can be given; otherwise returns the outcome `unsupported`.
 */
function availableSource(
  source: ReferenceSource | CheckOutcome,
  externalCount: number,
): ReferenceSource | CheckOutcome {
  if (!('kind' in source) || source.kind !== 'content') return source
  if (externalCount > 1) return unsupported('The references are to more than one external resource')
  return source.content
    ? source
    : unsupported('A Manifest refers to an external resource, which is not given as content')
}

const isMissingManifest = ({ reference, source }: ResolvedReference) =>
  reference.type === `${ds}Manifest` && 'kind' in source && !(source.kind === 'element' && isManifest(source.element))

/**
 * Returns the Manifests that references refer to, directly or inside a larger part. Excludes Manifests that belong to another
 * signature.
 */
function coveredManifests(referred: ResolvedReference[], { element }: XmlSignature, all: SignedXml): XmlElement[] {
  const targets = Map.groupBy(referred, ({ source }) => targetOf(source))
  const isCovered = (target: XmlElement | 'document') =>
    targets
      .get(target)
      ?.some(({ reference, source }) => 'kind' in source && !coversNothing(reference, source, element, all)) ?? false
  return all.manifests.filter((manifest) => {
    for (let at: XmlElement | undefined = manifest; at; at = at.parent) {
      // A Manifest inside a signature belongs to that signature, not to the parts around it.
      if (isSignatureElement(at)) return false
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
