// Builds XML signatures by hand in tests, so that each part can be wrong.
import { certificateOf } from './cms.ts'
import type { Signing } from './signing.ts'

const dsig = 'http://www.w3.org/2000/09/xmldsig#'
export const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const enveloped = `${dsig}enveloped-signature`
const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'

/** A reference of a signature, with the canonical form of the data that it signs. */
export interface Referred {
  uri: string
  canonical: string
  /** Transforms: algorithms, or whole elements in their canonical form. */
  transforms?: string[]
  digest?: string
  type?: string
}

/** Builds a Signature element that is already in canonical form, so that no canonicalization is needed to sign it. */
export async function signatureOf(
  signing: Signing,
  references: Referred[],
  { method = `${more}ecdsa-sha256`, id = 'signature', objects = '' } = {},
): Promise<string> {
  const info = `<SignedInfo xmlns="${dsig}">${methods(exclusive, method)}${(await Promise.all(references.map(reference))).join('')}</SignedInfo>`
  const value = await signing.sign(utf8(info))
  const certificate = certificateOf(signing.key).toBase64()
  const keyInfo = `<KeyInfo><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo>`
  const written = info.replace(` xmlns="${dsig}"`, '')
  return `<Signature xmlns="${dsig}">${written}<SignatureValue Id="${id}-value">${new Uint8Array(value).toBase64()}</SignatureValue>${keyInfo}${objects}</Signature>`
}

const methods = (canonicalization: string, method: string) =>
  `${algorithm('CanonicalizationMethod', canonicalization)}${algorithm('SignatureMethod', method)}`

export async function reference({
  uri,
  canonical,
  transforms = [exclusive],
  digest = sha256,
  type,
}: Referred): Promise<string> {
  const value = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(canonical))).toBase64()
  const all = transforms
    .map((transform) => (transform.startsWith('<') ? transform : algorithm('Transform', transform)))
    .join('')
  const transformed = transforms.length > 0 ? `<Transforms>${all}</Transforms>` : ''
  return `<Reference${type ? ` Type="${type}"` : ''} URI="${uri}">${transformed}${algorithm('DigestMethod', digest)}<DigestValue>${value}</DigestValue></Reference>`
}

const algorithm = (name: string, uri: string) => `<${name} Algorithm="${uri}"></${name}>`

export const utf8 = (text: string) => new Uint8Array(new TextEncoder().encode(text))
