// Parses CMS signed data into its content, certificates and signers. cms-verifier.ts verifies them.
import { type Element, elementsOf, readBer, tags } from '../asn1/ber.ts'
import { octetsOf, oidOf } from '../asn1/values.ts'
import { type Certificate, certificateOf } from '../keys/certificate.ts'
import { malformed } from '../parse-errors.ts'
import { type SignerInfo, signerInfoOf } from './signer-info.ts'

/** The structure SignedData of CMS (RFC 5652) and PKCS #7 (RFC 2315). */
export interface SignedData {
  contentType: string
  /** The signed content; undefined if the signature is detached. */
  content: Uint8Array<ArrayBuffer> | undefined
  certificates: Certificate[]
  signers: SignerInfo[]
}

const signedData = '1.2.840.113549.1.7.2'

/** Names of other CMS content types, for the message of the error. */
const otherKinds: Record<string, string> = {
  '1.2.840.113549.1.7.1': 'data',
  '1.2.840.113549.1.7.3': 'enveloped data',
  '1.2.840.113549.1.7.5': 'digested data',
  '1.2.840.113549.1.7.6': 'encrypted data',
  '1.2.840.113549.1.9.16.1.2': 'authenticated data',
}

const maxCertificates = 200
const maxSigners = 50

/**
 * Parses SignedData in BER. `limit` is the maximum number of ASN.1 values, by default that of `readBer`. Throws 400 for any other
 * data.
 */
export function readSignedData(bytes: Uint8Array<ArrayBuffer>, limit?: number): SignedData {
  const root = readBer(bytes, limit)
  const [type, wrapped] = root.tag === tags.sequence ? elementsOf(root) : []
  if (type?.tag !== tags.oid) throw malformed('The ASN.1 is not CMS: it does not begin with the type of its content')
  const kind = oidOf(type)
  if (kind !== signedData) throw malformed(`The CMS must be signed data, not ${otherKinds[kind] ?? kind}`)
  const [body] = wrapped?.tag === tags.context(0) ? elementsOf(wrapped) : []
  if (body?.tag !== tags.sequence) throw malformed('The CMS has no signed data inside')
  return bodyOf(elementsOf(body))
}

function bodyOf(parts: Element[]): SignedData {
  const [version, algorithms, encapsulated] = parts
  if (version?.tag !== tags.integer || algorithms?.tag !== tags.set || encapsulated?.tag !== tags.sequence) {
    throw malformed('The signed data of the CMS is incomplete')
  }
  const [contentType, wrapped] = elementsOf(encapsulated)
  if (!contentType) throw malformed('The CMS has no content type')
  return {
    contentType: oidOf(contentType),
    content: wrapped && contentOf(wrapped),
    certificates: certificatesOf(parts.find(({ tag }) => tag === tags.context(0))),
    signers: signersOf(parts.slice(3).find(({ tag }) => tag === tags.set)),
  }
}

/** Parses the X.509 certificates of the list. Skips attribute certificates and other formats, which no signature needs. */
function certificatesOf(list: Element | undefined): Certificate[] {
  const elements = list ? elementsOf(list) : []
  if (elements.length > maxCertificates) throw malformed(`The CMS has more than ${maxCertificates} certificates`)
  return elements.filter(({ tag }) => tag === tags.sequence).map(certificateOf)
}

function signersOf(list: Element | undefined): SignerInfo[] {
  if (!list) throw malformed('The CMS has no list of signers')
  const elements = elementsOf(list)
  if (elements.length === 0) throw malformed('The CMS has no signer')
  if (elements.length > maxSigners) throw malformed(`The CMS has more than ${maxSigners} signers`)
  return elements.map(signerInfoOf)
}

/**
 * Returns the octets of an OCTET STRING. PKCS #7 also allows a value of any other type, whose content is returned (RFC 5652,
 * section 5.2.1).
 */
function contentOf(wrapped: Element): Uint8Array<ArrayBuffer> {
  const [value] = elementsOf(wrapped)
  if (!value) throw malformed('The CMS has no content where it is required')
  return value.tag === tags.octetString ? octetsOf(value) : value.content
}
