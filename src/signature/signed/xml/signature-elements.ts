// Finds the Signature elements (XMLDSig) of an XML document, and parses them and their references.
import { malformed } from '../parse-errors.ts'
import { attributeOf, childOf, childrenOf, elementsIn, textIn, type XmlDocument, type XmlElement } from './tree.ts'
import { ds } from './uris.ts'

/** A parsed Signature element (XMLDSig, section 4.2). */
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
  /** URI of the signed data; undefined if the element has none. The request must then give the data as `content`. */
  uri: string | undefined
  /** Type of the signed data as the signer claims it, a URI. */
  type: string | undefined
  transforms: XmlElement[]
  digestMethod: XmlElement
  digest: Uint8Array<ArrayBuffer>
}

const maxSignatures = 50
/** Maximum number of references of a signature, and also of all Manifests that it covers: a limit against crafted documents. */
export const maxReferences = 1_000
const maxTransforms = 10
const maxUriLength = 1_000

/** Parses all signatures of a document, in document order. Throws 400 if there is none. */
export function signaturesIn({ root }: XmlDocument): XmlSignature[] {
  const elements = [...elementsIn(root)].filter(({ uri, local }) => uri === ds && local === 'Signature')
  if (elements.length === 0) throw malformed(`The XML has no Signature of the namespace ${ds}`)
  if (elements.length > maxSignatures) throw malformed(`The XML has more than ${maxSignatures} signatures`)
  return elements.map(signatureOf)
}

function signatureOf(element: XmlElement): XmlSignature {
  const signedInfo = singleChild(element, 'SignedInfo')
  const references = childrenOf(signedInfo, ds, 'Reference')
  if (references.length === 0) throw malformed('The XML has a signature without references')
  if (references.length > maxReferences)
    throw malformed(`The XML has a signature with more than ${maxReferences} references`)
  checkUriLength(attributeOf(childOf(signedInfo, ds, 'SignatureMethod'), 'Algorithm'))
  const valueElement = singleChild(element, 'SignatureValue')
  return {
    element,
    signedInfo,
    canonicalization: singleChild(signedInfo, 'CanonicalizationMethod'),
    method: singleChild(signedInfo, 'SignatureMethod'),
    valueElement,
    value: base64In(valueElement),
    references: references.map(referenceOf),
    keyInfo: childOf(element, ds, 'KeyInfo'),
  }
}

/** Parses a Reference element. Throws 400 if it is not valid. */
export function referenceOf(element: XmlElement): Reference {
  const transforms = childrenOf(childOf(element, ds, 'Transforms'), ds, 'Transform')
  if (transforms.length > maxTransforms)
    throw malformed(`The XML has a reference with more than ${maxTransforms} transforms`)
  return {
    uri: checkUriLength(attributeOf(element, 'URI')),
    type: attributeOf(element, 'Type'),
    transforms,
    digestMethod: singleChild(element, 'DigestMethod'),
    digest: base64In(singleChild(element, 'DigestValue')),
  }
}

function checkUriLength(uri: string | undefined): string | undefined {
  if (uri && uri.length > maxUriLength) throw malformed(`The XML has a URI of more than ${maxUriLength} characters`)
  return uri
}

function singleChild(element: XmlElement, local: string): XmlElement {
  const [child, ...others] = childrenOf(element, ds, local)
  if (!child || others.length > 0) throw malformed(`The XML has a ${element.local} that must have one ${local}`)
  return child
}

/**
 * Decodes the base64 text of an element. The decoding is strict: each value then has one accepted encoding, and no character of it
 * can change.
 */
export function base64In(element: XmlElement): Uint8Array<ArrayBuffer> {
  if (element.children.some(({ kind }) => kind === 'element'))
    throw malformed(`The XML has a ${element.local} that is not base64: it has child elements`)
  try {
    return Uint8Array.fromBase64(textIn(element), { lastChunkHandling: 'strict' })
  } catch {
    throw malformed(`The XML has a ${element.local} that is not base64`)
  }
}
