/** Encodes ASN.1 values in DER by hand, for tests of signatures. */
export type Der = Uint8Array<ArrayBuffer>

export function der(tag: number, ...parts: Uint8Array[]): Der {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  const octets = [size >>> 24, size >>> 16, size >>> 8, size].map((octet) => octet & 0xff)
  const length = octets.slice(octets.findIndex((octet) => octet > 0))
  const head = [tag, ...(size < 0x80 ? [size] : [0x80 + length.length, ...length])]
  const bytes = new Uint8Array(head.length + size)
  bytes.set(head)
  let at = head.length
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
export const set = (...parts: Uint8Array[]) => der(0x31, ...parts)
export const integer = (value: number) => der(0x02, new Uint8Array([value]))
export const octets = (bytes: Uint8Array) => der(0x04, bytes)
export const bits = (bytes: Uint8Array) => der(0x03, new Uint8Array(1), bytes)
export const utf8String = (text: string) => der(0x0c, new TextEncoder().encode(text))
/** Encodes a constructed value with the context tag [n]. */
export const context = (n: number, ...parts: Uint8Array[]) => der(0xa0 | n, ...parts)

export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, new Uint8Array([first * 40 + second, ...rest].flatMap(base128)))
}

function base128(arc: number): number[] {
  const digits = [arc % 128]
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) digits.unshift(0x80 | (left % 128))
  return digits
}
