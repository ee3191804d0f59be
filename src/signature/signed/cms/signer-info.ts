// Parses the SignerInfo structures of CMS, each of which has the signature and the attributes of one signer.
import { type Element, elementsOf, tags } from '../asn1/ber.ts'
import { octetsOf, oidOf, timeOf } from '../asn1/values.ts'
import { malformed } from '../parse-errors.ts'

/** The structure SignerInfo (RFC 5652, section 5.3). */
export interface SignerInfo {
  /** Issuer of the certificate. The certificate is identified either by `issuer` and `serial`, or by `keyId`. */
  issuer: Element | undefined
  serial: Element | undefined
  keyId: Uint8Array<ArrayBuffer> | undefined
  digestAlgorithm: Element
  signatureAlgorithm: Element
  signature: Uint8Array<ArrayBuffer>
  /** The signed attributes as received, with the tag [0]. The signature covers them with the tag of a SET instead. */
  signedAttributes: Element | undefined
  unsignedAttributes: Element | undefined
}

/** Parses a SignerInfo structure. Throws 400 if the structure is incomplete. */
export function signerInfoOf(element: Element): SignerInfo {
  const [, id, digestAlgorithm, ...rest] = elementsOf(element)
  const signedAttributes = rest[0]?.tag === tags.context(0) ? rest.shift() : undefined
  const [signatureAlgorithm, signature, unsignedAttributes] = rest
  if (!id || !digestAlgorithm || !signatureAlgorithm || signature?.tag !== tags.octetString) {
    throw malformed('The CMS has an incomplete signer')
  }
  return {
    ...idOf(id),
    digestAlgorithm,
    signatureAlgorithm,
    signature: octetsOf(signature),
    signedAttributes,
    unsignedAttributes: unsignedAttributes?.tag === tags.context(1) ? unsignedAttributes : undefined,
  }
}

function idOf(id: Element): Pick<SignerInfo, 'issuer' | 'serial' | 'keyId'> {
  if (id.tag === tags.context(0)) {
    if (id.content.length > 64) throw malformed('The CMS has a signer whose key identifier is too long')
    return { issuer: undefined, serial: undefined, keyId: octetsOf(id) }
  }
  const [issuer, serial] = id.tag === tags.sequence ? elementsOf(id) : []
  if (!issuer || !serial) throw malformed('The CMS has a signer without issuer and serial number')
  return { issuer, serial, keyId: undefined }
}

/** OIDs of the attributes that this component reads. */
export const attributes = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  counterSignature: '1.2.840.113549.1.9.6',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  algorithmProtection: '1.2.840.113549.1.9.52',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
} as const

/** Returns all values of the attributes with an OID, in their order. */
export function valuesOf(list: Element | undefined, type: string): Element[] {
  if (!list) return []
  return elementsOf(list).flatMap((attribute) => {
    const [id, values] = elementsOf(attribute)
    return id && values && oidOf(id) === type ? elementsOf(values) : []
  })
}

/** Returns the signing time that the signer claims; null if it is missing or not valid. Nothing proves the claim. */
export function signingTimeOf({ signedAttributes }: SignerInfo): Date | null {
  const [time] = valuesOf(signedAttributes, attributes.signingTime)
  return time ? timeOf(time) : null
}
