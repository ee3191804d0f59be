// Builds CMS signatures by hand in tests, so that each part can be wrong.
import { bits, context, type Der, integer, octets, oid, sequence, set, utf8String } from './der.ts'

/** The parts of a CMS signature with one signer. A part that is not set has its right value. */
export interface Parts {
  content: Uint8Array<ArrayBuffer>
  contentType?: string
  digestAlgorithm?: string
  signatureAlgorithm?: string
  /** Signed attributes. Without them, the content itself is signed. */
  attributes?: Der[]
  /** The attributes as they are written, if they differ from the signed ones. */
  shownAttributes?: Der
  unsigned?: Der[]
  certificates?: Der[]
  isDetached?: true
  sign(signed: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
  /** Public key of the signer, as SubjectPublicKeyInfo. */
  key: Der
  subject?: string
}

export const ids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha512: '2.16.840.1.101.3.4.2.3',
  ecdsaSha256: '1.2.840.10045.4.3.2',
  ed25519: '1.3.101.112',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  algorithmProtection: '1.2.840.113549.1.9.52',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
}

export const attribute = (type: string, ...values: Der[]) => sequence(oid(type), set(...values))

const nameOf = (text: string) => sequence(set(sequence(oid('2.5.4.3'), utf8String(text))))

/** Builds a certificate whose signature is invalid, for tests that do not check it. */
export function certificateOf(key: Der, subject = 'Ann', serial = 7): Der {
  const signature = sequence(oid(ids.ecdsaSha256))
  const body = sequence(integer(serial), signature, nameOf(subject), sequence(), nameOf(subject), key)
  return sequence(body, signature, bits(new Uint8Array(8)))
}

export async function cmsOf(parts: Parts): Promise<Der> {
  const { content, contentType = ids.data, digestAlgorithm = ids.sha256, attributes, isDetached } = parts
  const certificates = parts.certificates ?? [certificateOf(parts.key, parts.subject)]
  const encapsulated = isDetached ? [] : [context(0, octets(content))]
  const signedData = sequence(
    integer(1),
    set(sequence(oid(digestAlgorithm))),
    sequence(oid(contentType), ...encapsulated),
    ...(certificates.length > 0 ? [context(0, ...certificates)] : []),
    set(await signerOf(parts, attributes ? set(...attributes) : content)),
  )
  return sequence(oid(ids.signedData), context(0, signedData))
}

async function signerOf(parts: Parts, signed: Uint8Array<ArrayBuffer>): Promise<Der> {
  const { digestAlgorithm = ids.sha256, signatureAlgorithm = ids.ecdsaSha256, attributes, unsigned } = parts
  return sequence(
    integer(1),
    sequence(nameOf(parts.subject ?? 'Ann'), integer(7)),
    sequence(oid(digestAlgorithm)),
    ...(attributes ? [parts.shownAttributes ?? context(0, ...attributes)] : []),
    sequence(oid(signatureAlgorithm)),
    octets(await parts.sign(signed)),
    ...(unsigned ? [context(1, ...unsigned)] : []),
  )
}

/** The attributes that a right signature of this content signs: the content's type and its digest. */
export async function attributesOf(content: Uint8Array<ArrayBuffer>, digest = 'SHA-256'): Promise<Der[]> {
  const value = new Uint8Array(await crypto.subtle.digest(digest, content))
  return [attribute(ids.contentType, oid(ids.data)), attribute(ids.messageDigest, octets(value))]
}
