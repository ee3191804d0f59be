import { malformed } from '../parse-errors.ts'
import { attributeOf, childOf, childrenOf, elementsIn, textIn, type XmlDocument, type XmlElement } from './tree.ts'
import { ds } from './uris.ts'

/** A Signature element of XMLDSig. */
export interface XmlSignature {
  element: XmlElement
  signedInfo: XmlElement
  canonicalization: XmlElement
  method: XmlElement
  valueElement: XmlElement
  value: Uint8Array<ArrayBuffer>
  references: Reference[]
  keyInfo: XmlElement | undefined
}

export interface Reference {
  /** Undefined when the element has none, which leaves it to who verifies. */
  uri: string | undefined
  /** What the signer says that it is to, as a URI. */
  type: string | undefined
  transforms: XmlElement[]
  digestMethod: XmlElement
  digest: Uint8Array<ArrayBuffer>
}

const maxSignatures = 50
/** The most references of a signature, and of all Manifests that it covers. */
export const maxReferences = 1_000
const maxTransforms = 10
const longestUri = 1_000

/** All signatures of a document, in document order; at least one. */
export function signaturesIn({ root }: XmlDocument): XmlSignature[] {
  const elements = [...elementsIn(root)].filter(({ uri, local }) => uri === ds && local === 'Signature')
  if (elements.length === 0) throw malformed(`The XML has no Signature of the namespace ${ds}`)
  if (elements.length > maxSignatures) throw malformed(`The XML has more than ${maxSignatures} signatures`)
  return elements.map(signatureOf)
}

function signatureOf(element: XmlElement): XmlSignature {
  const signedInfo = only(element, 'SignedInfo')
  const references = childrenOf(signedInfo, ds, 'Reference')
  if (references.length === 0) throw malformed('The XML has a signature without references')
  if (references.length > maxReferences) throw malformed(`The XML has a signature of more than ${maxReferences} parts`)
  short(attributeOf(childOf(signedInfo, ds, 'SignatureMethod'), 'Algorithm'))
  const valueElement = only(element, 'SignatureValue')
  return {
    element,
    signedInfo,
    canonicalization: only(signedInfo, 'CanonicalizationMethod'),
    method: only(signedInfo, 'SignatureMethod'),
    valueElement,
    value: base64In(valueElement),
    references: references.map(referenceOf),
    keyInfo: childOf(element, ds, 'KeyInfo'),
  }
}

/** Throws a `Failure` for one that cannot be read. */
export function referenceOf(element: XmlElement): Reference {
  const transforms = childrenOf(childOf(element, ds, 'Transforms'), ds, 'Transform')
  if (transforms.length > maxTransforms)
    throw malformed(`The XML has more than ${maxTransforms} transforms of one part`)
  return {
    uri: short(attributeOf(element, 'URI')),
    type: attributeOf(element, 'Type'),
    transforms,
    digestMethod: only(element, 'DigestMethod'),
    digest: base64In(only(element, 'DigestValue')),
  }
}

function short(uri: string | undefined): string | undefined {
  if (uri && uri.length > longestUri) throw malformed(`The XML has a URI of more than ${longestUri} characters`)
  return uri
}

function only(element: XmlElement, local: string): XmlElement {
  const [child, ...others] = childrenOf(element, ds, local)
  if (!child || others.length > 0) throw malformed(`The XML has a ${element.local} that must have one ${local}`)
  return child
}

/** The bytes that the text of an element is base64 of: strictly, so that no bit of it can change unseen. */
export function base64In(element: XmlElement): Uint8Array<ArrayBuffer> {
  if (element.children.some(({ kind }) => kind === 'element'))
    throw malformed(`The XML has a ${element.local} that is not base64: it has elements inside`)
  try {
    return Uint8Array.fromBase64(textIn(element), { lastChunkHandling: 'strict' })
  } catch {
    throw malformed(`The XML has a ${element.local} that is not base64`)
  }
}
