import { malformed } from '../parse-errors.ts'

/** One value of ASN.1 in BER (ITU-T X.690), read no further than asked: its parts are views of the bytes given. */
export interface Element {
  /** Class and number as in the identifier octet, without the bit for constructed: 0x10 is SEQUENCE, 0x80 is [0]. */
  tag: number
  isConstructed: boolean
  /** It ends by end-of-contents octets rather than after so many bytes. */
  isIndefinite: boolean
  /** With identifier, length and end. */
  raw: Uint8Array<ArrayBuffer>
  content: Uint8Array<ArrayBuffer>
  depth: number
  budget: Budget
}

interface Budget {
  limit: number
  elements: number
}

/** Tags as `Element` has them. */
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
  /** Context-specific [n]. */
  context: (n: number) => 0x80 | n,
} as const

const maxDepth = 40
const maxElements = 50_000

/**
 * The one value that the bytes are. Refuses what is truncated, what follows it, and what is too deep or has too many
 * values: one counts each time it is read.
 */
export function readBer(bytes: Uint8Array<ArrayBuffer>, limit = maxElements): Element {
  const element = readElement(bytes, 0, 0, { limit, elements: limit })
  if (element.raw.length < bytes.length) {
    throw malformed(`The ASN.1 is followed by ${bytes.length - element.raw.length} more bytes`)
  }
  return element
}

/** The values inside a constructed one. */
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
  // A tag number of 31 and above takes more octets; nothing that is read here has one.
  if ((identifier & 0x1f) === 0x1f) while (next() & 0x80);
  const isConstructed = (identifier & 0x20) !== 0
  const length = readLength(next)
  if (length === undefined && !isConstructed) throw malformed('The ASN.1 has a primitive value of indefinite length')
  if (length !== undefined && length > bytes.length - at) {
    throw malformed(`The ASN.1 has a value of ${length} bytes where ${bytes.length - at} are left`)
  }
  return { tag: identifier & 0xdf, isConstructed, length, at }
}

/** Undefined for the indefinite form. */
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

/** Where the end-of-contents octets stand that close what begins at `start`. */
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
