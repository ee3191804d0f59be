import { type CheckOutcome, unsupported, wrong } from '../check-outcome.ts'
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

/** What a reference refers to: a part of the document, or what was given besides. */
export type ReferenceSource =
  | { kind: 'document'; document: XmlDocument; withComments: boolean }
  | { kind: 'element'; element: XmlElement; id: string; withComments: boolean }
  | { kind: 'content'; content: Uint8Array<ArrayBuffer> | undefined }

/** A document whose signatures are checked, and what is known of it. */
export interface Signatures {
  document: XmlDocument
  ids: Map<string, XmlElement[]>
  signatures: XmlSignature[]
  /** What was given besides, for the references to what is outside; these are to one thing at most. */
  content: Uint8Array<ArrayBuffer> | undefined
  outside: ReadonlySet<string | undefined>
  manifests: XmlElement[]
  /** Work budget that all references of the document share. */
  budget: Budget
  /** Whether a reference covers nothing, cached when its transforms are applied. */
  empty: Map<Reference, boolean>
}

/** Work budget of a document: each of many references may be to all of it. */
const maxUnits = 100_000_000

/** All of a document: throws a `Failure` when it cannot be read. */
export function readSignatures(bytes: Uint8Array, content?: Uint8Array<ArrayBuffer>): Signatures {
  const document = readXml(bytes)
  const signatures = signaturesIn(document)
  const uris = signatures.flatMap(({ references }) => references.map(({ uri }) => uri))
  const outside = new Set(uris.filter(isOutside))
  const [ids, manifests] = [idsIn(document), [...elementsIn(document.root)].filter(isManifest)]
  return { document, ids, signatures, content, outside, manifests, budget: { units: maxUnits }, empty: new Map() }
}

/** A Manifest element (XMLDSig, section 5.1). */
export const isManifest = ({ uri, local }: XmlElement): boolean => uri === ds && local === 'Manifest'

/** Whether anything refers to something outside of the document, the Manifests included. */
export const hasOutside = ({ outside, manifests }: Signatures): boolean =>
  outside.size > 0 ||
  manifests.some((manifest) =>
    childrenOf(manifest, ds, 'Reference').some((reference) => isOutside(attributeOf(reference, 'URI'))),
  )

/** XMLDSig, section 4.4.3.3: a bare name means without comments, an XPointer with them. */
export function sourceOf(
  { uri }: Reference,
  { document, ids, content, outside }: Signatures,
): ReferenceSource | CheckOutcome {
  if (uri === '') return { kind: 'document', document, withComments: false }
  if (uri === undefined || isOutside(uri)) {
    return outside.size > 1 ? unsupported('References are to several things outside') : { kind: 'content', content }
  }
  const pointer = /^#xpointer\((.*)\)$/.exec(uri)?.[1]
  if (pointer === '/') return { kind: 'document', document, withComments: true }
  const id =
    pointer === undefined ? uri.slice(1) : /^id\((?:'([^']*)'|"([^"]*)")\)$/.exec(pointer)?.slice(1).find(Boolean)
  if (!id || (pointer === undefined && id.includes('(')))
    return unsupported('A reference is an XPointer of an unknown form')
  const [element, ...others] = ids.get(id) ?? []
  if (!element) return wrong('A reference is to an Id that no element has')
  if (others.length > 0) return wrong('A reference is to an Id that several elements have')
  return { kind: 'element', element, id, withComments: pointer !== undefined }
}

/** Whether a reference is to something that is not in the document. */
export const isOutside = (uri: string | undefined): boolean => uri === undefined || !/^(#|$)/.test(uri)

/** What a source is called among what a signature covers. */
export function partOf(source: ReferenceSource, all: Signatures): string {
  if (source.kind !== 'element') return source.kind
  if (source.element === all.document.root) return 'document'
  return signedBy(source, all) < 0 ? `#${source.id}` : 'signature'
}

/** The place of the signature whose value a source is; -1 for any other. A SignatureValue elsewhere is an ordinary element. */
export const signedBy = (source: ReferenceSource, { signatures }: Signatures): number =>
  source.kind === 'element' ? signatures.findIndex(({ valueElement }) => valueElement === source.element) : -1

const security = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'

/** Without a document type nothing says which attributes are identifiers: those that signatures use are. */
const isId = ({ uri, local }: XmlAttribute) =>
  (uri === '' && (local === 'Id' || local === 'ID' || local === 'id')) ||
  (uri === xmlNamespace && local === 'id') ||
  (uri === security && local === 'Id')

/** The elements of a document by their identifiers: two have the same where a signature could be of either. */
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
