// Parses an XML document with its signatures, and finds the data that their references refer to.
import { type CheckOutcome, invalid, unsupported } from '../check-outcome.ts'
import type { Budget } from './c14n-writer.ts'
import { readXml } from './reader.ts'
import { type Reference, signaturesIn, type XmlSignature } from './signature-elements.ts'
import {
  attributeOf,
  childrenOf,
  elementsIn,
  type XmlAttribute,
  type XmlDocument,
  type XmlElement,
  xmlNamespace,
} from './tree.ts'
import { ds } from './uris.ts'

/** The data that a reference refers to: a part of the document, or the external content that the request gives. */
export type ReferenceSource =
  | { kind: 'document'; document: XmlDocument; withComments: boolean }
  | { kind: 'element'; element: XmlElement; id: string; withComments: boolean }
  | { kind: 'content'; content: Uint8Array<ArrayBuffer> | undefined }

/** A parsed document with its signatures, and the state of their verification. */
export interface SignedXml {
  document: XmlDocument
  ids: Map<string, XmlElement[]>
  signatures: XmlSignature[]
  /** The external content, if the request gives it. */
  content: Uint8Array<ArrayBuffer> | undefined
  /** URIs of the external references of all signatures. More than one is not supported, since a request gives only one content. */
  external: ReadonlySet<string | undefined>
  manifests: XmlElement[]
  /** Work budget that all references of the document share. */
  budget: Budget
  /** Cache of whether each reference covers nothing. Filled when the transforms of the reference are applied. */
  empty: Map<Reference, boolean>
}

/** Work budget of a document in units. A limit is needed because each of a thousand references may cover the whole document. */
const maxUnits = 100_000_000

/** Parses a document with all its signatures. Throws 400 if the document or a signature is not valid. */
export function readSignedXml(bytes: Uint8Array, content?: Uint8Array<ArrayBuffer>): SignedXml {
  const document = readXml(bytes)
  const signatures = signaturesIn(document)
  const uris = signatures.flatMap(({ references }) => references.map(({ uri }) => uri))
  const external = new Set(uris.filter(isExternal))
  const [ids, manifests] = [idsIn(document), [...elementsIn(document.root)].filter(isManifest)]
  return { document, ids, signatures, content, external, manifests, budget: { units: maxUnits }, empty: new Map() }
}

/** Whether an element is a Manifest (XMLDSig, section 5.1). */
export const isManifest = ({ uri, local }: XmlElement): boolean => uri === ds && local === 'Manifest'

/** Whether a signature or a Manifest has a reference to an external resource. */
export const hasExternalReference = ({ external, manifests }: SignedXml): boolean =>
  external.size > 0 ||
  manifests.some((manifest) =>
    childrenOf(manifest, ds, 'Reference').some((reference) => isExternal(attributeOf(reference, 'URI'))),
  )

/** Resolves the URI of a reference (XMLDSig, section 4.4.3.3): `#id` excludes comments, an XPointer includes them. */
export function resolveReference(
  { uri }: Reference,
  { document, ids, content, external }: SignedXml,
): ReferenceSource | CheckOutcome {
  if (uri === '') return { kind: 'document', document, withComments: false }
  if (uri === undefined || isExternal(uri)) {
    return external.size > 1
      ? unsupported('The references are to more than one external resource')
      : { kind: 'content', content }
  }
  const pointer = /^#xpointer\((.*)\)$/.exec(uri)?.[1]
  if (pointer === '/') return { kind: 'document', document, withComments: true }
  const id =
    pointer === undefined ? uri.slice(1) : /^id\((?:'([^']*)'|"([^"]*)")\)$/.exec(pointer)?.slice(1).find(Boolean)
  if (!id || (pointer === undefined && id.includes('(')))
    return unsupported('A reference has an XPointer that is not supported')
  const [element, ...others] = ids.get(id) ?? []
  if (!element) return invalid('A reference is to an Id that no element has')
  if (others.length > 0) return invalid('A reference is to an Id that several elements have')
  return { kind: 'element', element, id, withComments: pointer !== undefined }
}

/** Whether a URI refers to a resource outside the document. */
export const isExternal = (uri: string | undefined): boolean => uri === undefined || !/^(#|$)/.test(uri)

/** Returns the name of a source, as the reply lists it in `covers`. */
export function partName(source: ReferenceSource, all: SignedXml): string {
  if (source.kind !== 'element') return source.kind
  if (source.element === all.document.root) return 'document'
  return signedIndexOf(source, all) < 0 ? `#${source.id}` : 'signature'
}

/**
 * Returns the index of the signature whose SignatureValue element is the source; -1 for any other source. A SignatureValue element
 * outside a signature is an ordinary element: an attacker may have planted such a copy.
 */
export const signedIndexOf = (source: ReferenceSource, { signatures }: SignedXml): number =>
  source.kind === 'element' ? signatures.findIndex(({ valueElement }) => valueElement === source.element) : -1

const wsSecurityNamespace = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'

/**
 * Whether an attribute is an identifier. Only a document type could declare that, and none is allowed, so the names that signature
 * software uses count as identifiers.
 */
const isId = ({ uri, local }: XmlAttribute) =>
  (uri === '' && (local === 'Id' || local === 'ID' || local === 'id')) ||
  (uri === xmlNamespace && local === 'id') ||
  (uri === wsSecurityNamespace && local === 'Id')

/**
 * Returns the elements by identifier. If several elements have the same identifier, all are kept, so that a reference to it is
 * rejected as ambiguous.
 */
function idsIn({ root }: XmlDocument): Map<string, XmlElement[]> {
  const ids = new Map<string, XmlElement[]>()
  for (const element of elementsIn(root)) {
    for (const id of new Set(element.attributes.filter(isId).map(({ value }) => value))) {
      const others = ids.get(id)
      if (others) others.push(element)
      else ids.set(id, [element])
    }
  }
  return ids
}
