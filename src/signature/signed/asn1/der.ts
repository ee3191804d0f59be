// Encodes ASN.1 in DER, since the signature over signed attributes covers their DER encoding, whatever encoding was sent.
import { join } from '../bytes.ts'
import { type Element, elementsOf, tags } from './ber.ts'
import { octetsOf } from './values.ts'

const constructed = 0x20

/**
 * Re-encodes an element as a SET in DER (ITU-T X.690, section 10), whatever its own tag: definite shortest lengths, elements
 * sorted. The signature of a CMS message covers its signed attributes in this encoding (RFC 5652, section 5.4).
 */
export const derSetOf = (element: Element): Uint8Array<ArrayBuffer> =>
  encoded(tags.set | constructed, elementsOf(element).map(derOf).toSorted(compare))

function derOf(element: Element): Uint8Array<ArrayBuffer> {
  if (element.tag === tags.octetString) return encoded(tags.octetString, [octetsOf(element)])
  if (!element.isConstructed) return encoded(element.tag, [element.content])
  const parts = elementsOf(element).map(derOf)
  return encoded(element.tag | constructed, element.tag === tags.set ? parts.toSorted(compare) : parts)
}

/** Encodes a value in DER from its identifier octet and the parts of its content. */
export function encoded(identifier: number, parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = join(parts)
  return join([new Uint8Array([identifier, ...lengthOctets(content.length)]), content])
}

function lengthOctets(size: number): number[] {
  if (size < 0x80) return [size]
  const octets: number[] = []
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return [0x80 | octets.length, ...octets]
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const differs = a.findIndex((byte, at) => byte !== b[at])
  return differs < 0 ? a.length - b.length : a[differs]! - (b[differs] ?? -1)
}
