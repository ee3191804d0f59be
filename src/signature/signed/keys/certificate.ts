// Parses X.509 certificates. This component never checks whether a certificate is trusted.
import { type Element, elementsOf, tags } from '../asn1/ber.ts'
import { oidOf } from '../asn1/values.ts'
import { malformed } from '../parse-errors.ts'

/** The fields of an X.509 certificate (RFC 5280) that this component uses. */
export interface Certificate {
  raw: Uint8Array<ArrayBuffer>
  serial: Element
  issuer: Element
  subject: Element
  /** The public key, as the structure SubjectPublicKeyInfo. */
  key: Element
  /** The subject key identifier, by which a signer may name the certificate. */
  keyId: Uint8Array<ArrayBuffer> | undefined
}

/** Parses a certificate without verifying its signature. Throws 400 if it is incomplete. */
export function certificateOf(element: Element): Certificate {
  const [body] = elementsOf(element)
  if (!body) throw malformed('A certificate is empty')
  const parts = elementsOf(body)
  const explicitVersion = parts[0]?.tag === tags.context(0) ? 1 : 0
  const [serial, , issuer, , subject, key] = parts.slice(explicitVersion)
  if (!serial || !issuer || !subject || !key) throw malformed('A certificate is incomplete')
  return { raw: element.raw, serial, issuer, subject, key, keyId: keyIdOf(parts) }
}

const subjectKeyIdentifier = '2.5.29.14'

function keyIdOf(parts: Element[]): Uint8Array<ArrayBuffer> | undefined {
  const extensions = parts.find(({ tag }) => tag === tags.context(3))
  const [list] = extensions ? elementsOf(extensions) : []
  for (const extension of list ? elementsOf(list) : []) {
    const [id, ...rest] = elementsOf(extension)
    const value = rest.at(-1)
    if (!id || !value || oidOf(id) !== subjectKeyIdentifier) continue
    return value.content.subarray(2)
  }
  return undefined
}
