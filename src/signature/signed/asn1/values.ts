// Reads ASN.1 values: object identifiers, strings of octets and bits, serial numbers and times.
import { join } from '../bytes.ts'
import { malformed } from '../parse-errors.ts'
import { type Element, elementsOf, tags } from './ber.ts'

/** Returns an object identifier in dot notation. Throws 400 for any other value. */
export function oidOf({ tag, content }: Element): string {
  if (tag !== tags.oid || content.length === 0 || content.length > 64) {
    throw malformed('The ASN.1 has no object identifier where one is required')
  }
  const arcs: bigint[] = []
  let arc = 0n
  for (const byte of content) {
    arc = (arc << 7n) | BigInt(byte & 0x7f)
    if (byte & 0x80) continue
    arcs.push(arc)
    arc = 0n
  }
  const [first = 0n, ...rest] = arcs
  const root = first < 80n ? first / 40n : 2n
  return [root, first - root * 40n, ...rest].join('.')
}

/** Returns the content of an OCTET STRING. The pieces of a constructed one are joined. */
export function octetsOf(element: Element): Uint8Array<ArrayBuffer> {
  if (!element.isConstructed) return element.content
  return join(piecesOf(element))
}

function piecesOf(element: Element): Uint8Array[] {
  return elementsOf(element).flatMap((inner) => {
    if (inner.tag !== tags.octetString)
      throw malformed('The ASN.1 has a constructed octet string with a value of another type')
    return inner.isConstructed ? piecesOf(inner) : [inner.content]
  })
}

/** Returns the content of a BIT STRING of whole bytes. Throws 400 for any other value. */
export function bitsOf({ tag, isConstructed, content }: Element): Uint8Array<ArrayBuffer> {
  if (tag !== tags.bitString || isConstructed || content[0] !== 0)
    throw malformed('The ASN.1 has an invalid bit string')
  return content.subarray(1)
}

/** Encodes bytes as upper-case hex. */
export const hexOf = (bytes: Uint8Array) => bytes.toHex().toUpperCase()

/** Returns an INTEGER in upper-case hex, as `openssl x509 -serial` shows serial numbers. */
export function serialOf({ tag, content }: Element): string {
  if (tag !== tags.integer || content.length === 0 || content.length > 64) {
    throw malformed('The ASN.1 has no serial number where one is required')
  }
  const isNegative = content[0]! >= 0x80
  const value = BigInt(`0x${content.toHex()}`)
  const size = isNegative ? (1n << BigInt(8 * content.length)) - value : value
  const hex = size.toString(16).toUpperCase()
  return `${isNegative ? '-' : ''}${hex.length % 2 ? '0' : ''}${hex}`
}

const utc = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/
const generalized = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:[.,]\d+)?(Z|[+-]\d{4})$/

/** Parses a UTCTime or GeneralizedTime, to the second; null for any other value. */
export function timeOf({ tag, content }: Element): Date | null {
  const pattern = tag === tags.utcTime ? utc : tag === tags.generalizedTime ? generalized : undefined
  const parts = pattern?.exec(String.fromCharCode(...content.subarray(0, 40)))
  if (!parts) return null
  const [, year = '', month, day, hour, minute, second = '00', zone = 'Z'] = parts
  // Two-digit years from 50 mean 19xx, the others 20xx (RFC 5280, section 4.1.2.5.1).
  const full = year.length === 4 ? year : `${Number(year) < 50 ? 20 : 19}${year}`
  const offset = zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`
  const at = new Date(`${full}-${month}-${day}T${hour}:${minute}:${second}${offset}`)
  return Number.isNaN(at.getTime()) ? null : at
}
