// Reads the certificate or the key of the signer from the KeyInfo element of an XML signature.
import { readBer } from '../asn1/ber.ts'
import { equal } from '../bytes.ts'
import { type Certificate, certificateOf } from '../keys/certificate.ts'
import { type Curve, curves, type PublicKey, publicKeyOf, unsigned } from '../keys/public-key.ts'
import { malformed, tryRead } from '../parse-errors.ts'
import { base64In } from './signature-elements.ts'
import { attributeOf, childOf, childrenOf, textIn, type XmlElement } from './tree.ts'
import { ds, ds11 } from './uris.ts'

/** The signer's certificate and key, as the KeyInfo element names them. */
export interface KeyInfo {
  certificate: Certificate | undefined
  key: PublicKey | undefined
  /** Issuer of the certificate, if KeyInfo has only the name of the certificate. */
  issuer: string | undefined
  /** Serial number of the certificate in decimal, if KeyInfo has it. */
  serial: string | undefined
}

const maxCertificates = 50
const maxNameLength = 10_000

/**
 * Reads a KeyInfo element. Throws 400 for a certificate that cannot be parsed. Ignores content of any other kind, which the
 * standard allows.
 */
export function keyInfoOf(element: XmlElement | undefined): KeyInfo {
  const data = childrenOf(element, ds, 'X509Data')
  const certificates = data.flatMap((one) => childrenOf(one, ds, 'X509Certificate'))
  if (certificates.length > maxCertificates) throw malformed(`The XML has more than ${maxCertificates} certificates`)
  const name = data.map((one) => childOf(one, ds, 'X509IssuerSerial')).find(Boolean)
  const serial = textIn(childOf(name, ds, 'X509SerialNumber')).trim() || undefined
  const certificate = leafCertificate(certificates.map((one) => certificateOf(readBer(base64In(one)))))
  return {
    certificate,
    key: certificate ? publicKeyOf(certificate.key) : keyValueOf(element),
    issuer:
      textIn(childOf(name, ds, 'X509IssuerName'))
        .trim()
        .slice(0, maxNameLength) || undefined,
    serial: serial && /^-?\d{1,80}$/.test(serial) ? serial : undefined,
  }
}

/** Returns the certificate of the signer: the one that has issued none of the others. */
function leafCertificate(certificates: Certificate[]): Certificate | undefined {
  const isLeaf = (one: Certificate) =>
    certificates.every((other) => other === one || !equal(other.issuer.raw, one.subject.raw))
  return certificates.find(isLeaf) ?? certificates[0]
}

function keyValueOf(info: XmlElement | undefined): PublicKey | undefined {
  const encoded = childOf(info, ds11, 'DEREncodedKeyValue')
  if (encoded) return tryRead(() => publicKeyOf(readBer(base64In(encoded))))
  const value = childOf(info, ds, 'KeyValue')
  return tryRead(() => rsaKeyOf(childOf(value, ds, 'RSAKeyValue')) ?? ecKeyOf(childOf(value, ds11, 'ECKeyValue')))
}

function rsaKeyOf(value: XmlElement | undefined): PublicKey | undefined {
  const modulus = childOf(value, ds, 'Modulus')
  const exponent = childOf(value, ds, 'Exponent')
  if (!modulus || !exponent) return undefined
  return { kind: 'RSA', modulus: unsigned(base64In(modulus)), exponent: unsigned(base64In(exponent)) }
}

function ecKeyOf(value: XmlElement | undefined): PublicKey | undefined {
  const point = childOf(value, ds11, 'PublicKey')
  if (!point) return undefined
  const uri = attributeOf(childOf(value, ds11, 'NamedCurve'), 'URI') ?? ''
  const curve: Curve | undefined = curves[uri.replace(/^urn:oid:/, '')]
  return curve ? { kind: 'EC', curve, point: base64In(point) } : { kind: 'other', name: `elliptic curve ${uri}` }
}
