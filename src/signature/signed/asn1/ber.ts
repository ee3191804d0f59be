// Parser of ASN.1 in BER, the encoding of CMS signatures and X.509 certificates.
import { malformed } from '../parse-errors.ts'

/** An ASN.1 value in BER (ITU-T X.690). Parsed only when its parts are needed; the parts are views of the input bytes. */
export interface Element {
  /** Class and number from the identifier octet, without the constructed bit: 0x10 is SEQUENCE, 0x80 is [0]. */
  tag: number
  isConstructed: boolean
  /** Whether the value has an indefinite length: it then ends with end-of-contents octets. */
  isIndefinite: boolean
  /**
   * All octets of the value: identifier, length, content and end-of-contents. Digests of certificates and attributes cover these
   * octets.
   */
  raw: Uint8Array<ArrayBuffer>
  content: Uint8Array<ArrayBuffer>
  depth: number
  budget: Budget
}

interface Budget {
  limit: number
  elements: number
}

/** Tags of ASN.1 types, in the form of `Element.tag`. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x10,
  set: 0x11,
  utcTime: 0x17,
  generalizedTime: 0x18,
  /** The tag [n] of the context-specific class. */
  context: (n: number) => 0x80 | n,
} as const

const maxDepth = 40
const maxElements = 50_000

/**
 * Parses bytes that hold one value. Throws 400 for truncated data, trailing bytes, too deep nesting, or more than `limit` values. A
 * value counts each time it is parsed, which bounds the CPU time.
 */
export function readBer(bytes: Uint8Array<ArrayBuffer>, limit = maxElements): Element {
  const element = readElement(bytes, 0, 0, { limit, elements: limit })
  if (element.raw.length < bytes.length) {
    throw malformed(`The ASN.1 is followed by ${bytes.length - element.raw.length} more bytes`)
  }
  return element
}

/** Parses the values inside a constructed value. Throws 400 for a primitive one. */
export function elementsOf({ isConstructed, content, depth, budget }: Element): Element[] {
  if (!isConstructed) throw malformed('The ASN.1 has a primitive value where a constructed one is required')
  const elements: Element[] = []
  for (let at = 0; at < content.length; ) {
    const element = readElement(content, at, depth + 1, budget)
    elements.push(element)
    at += element.raw.length
  }
  return elements
}

function readElement(bytes: Uint8Array<ArrayBuffer>, start: number, depth: number, budget: Budget): Element {
  const header = readHeader(bytes, start, depth, budget)
  const { tag, isConstructed, length, at } = header
  const isIndefinite = length === undefined
  const end = isIndefinite ? endOfContents(bytes, at, depth, budget) : at + length
  const raw = bytes.subarray(start, isIndefinite ? end + 2 : end)
  return { tag, isConstructed, isIndefinite, raw, content: bytes.subarray(at, end), depth, budget }
}

function readHeader(bytes: Uint8Array, start: number, depth: number, budget: Budget) {
  if (depth > maxDepth) throw malformed(`The ASN.1 is nested deeper than ${maxDepth}`)
  if (--budget.elements < 0) throw malformed(`The ASN.1 has more than ${budget.limit} values`)
  let at = start
  const next = () => {
    const byte = bytes[at++]
    if (byte === undefined) throw malformed('The ASN.1 ends in the middle of a value')
    return byte
  }
  const identifier = next()
  // Tag numbers from 31 take more octets. These are skipped without decoding, since no value that this component uses has such a
  // tag.
  if ((identifier & 0x1f) === 0x1f) while (next() & 0x80);
  const isConstructed = (identifier & 0x20) !== 0
  const length = readLength(next)
  if (length === undefined && !isConstructed) throw malformed('The ASN.1 has a primitive value of indefinite length')
  if (length !== undefined && length > bytes.length - at) {
    throw malformed(`The ASN.1 has a value of ${length} bytes where ${bytes.length - at} are left`)
  }
  return { tag: identifier & 0xdf, isConstructed, length, at }
}

/** Reads the length of the content; undefined for the indefinite form. */
function readLength(next: () => number): number | undefined {
  const first = next()
  if (first < 0x80) return first
  if (first === 0x80) return undefined
  const octets = first & 0x7f
  if (octets > 6) throw malformed(`The ASN.1 has a length that takes ${octets} bytes`)
  let length = 0
  for (let i = 0; i < octets; i++) length = length * 256 + next()
  return length
}

/**
 * Finds the end of a value of indefinite length: returns the index of its end-of-contents octets. `start` is the index of its
 * content.
 */
function endOfContents(bytes: Uint8Array, start: number, depth: number, budget: Budget): number {
  let open = 1
  let at = start
  for (;;) {
    if (bytes[at] === 0 && bytes[at + 1] === 0) {
      if (--open === 0) return at
      at += 2
      continue
    }
    const { length, at: content } = readHeader(bytes, at, depth + open, budget)
    if (length === undefined) open++
    at = content + (length ?? 0)
  }
}
