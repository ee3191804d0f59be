// Reads and writes the bytes of index files: numbers as varints, which take one byte if they are small, and texts as UTF-8.

/** Growable byte buffer. Numbers are written as LEB128 varints: 7 bits in each byte, the lowest first. */
export class ByteWriter {
  length = 0
  #bytes: Uint8Array<ArrayBuffer>

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity)
  }

  /** Writes an integer from 0 to 2^53 - 1. */
  number(value: number) {
    if (this.length + 8 > this.#bytes.length) this.#grow(8)
    const bytes = this.#bytes
    let rest = value
    while (rest > 0x7fffffff) {
      bytes[this.length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    while (rest > 127) {
      bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    bytes[this.length++] = rest
  }

  /** Writes a signed integer in zigzag encoding, so that small numbers of either sign take few bytes. */
  signed(value: number) {
    this.number(value < 0 ? -2 * value - 1 : 2 * value)
  }

  bytes(chunk: Uint8Array) {
    if (this.length + chunk.length > this.#bytes.length) this.#grow(chunk.length)
    this.#bytes.set(chunk, this.length)
    this.length += chunk.length
  }

  /** Returns a view of the written bytes, valid until the next write. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length)
  }

  /** Returns a copy of the written bytes. */
  copy(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length)
  }

  #grow(more: number) {
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + more))
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}

/** Reads numbers and texts that a `ByteWriter` has written. */
export class ByteReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  number(): number {
    const bytes = this.bytes
    let byte = bytes[this.at++]!
    if (byte < 128) return byte
    let value = byte & 127
    let scale = 128
    do {
      byte = bytes[this.at++]!
      value += (byte & 127) * scale
      scale *= 128
    } while (byte > 127)
    return value
  }

  signed(): number {
    const value = this.number()
    return value % 2 ? -(value + 1) / 2 : value / 2
  }

  /** Skips `count` numbers. */
  skip(count: number) {
    const { bytes } = this
    let { at } = this
    for (let left = count; left > 0; at++) if (bytes[at]! < 128) left--
    this.at = at
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Encodes a text as UTF-8. ASCII text, which most terms are, takes a fast path without a call of TextEncoder. */
export function toBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 127) return encoder.encode(text)
    bytes[at] = code
  }
  return bytes
}

/** Decodes a few bytes of UTF-8. ASCII text takes a fast path without a call of TextDecoder. */
export function toText(bytes: Uint8Array, from: number, to: number): string {
  for (let at = from; at < to; at++) if (bytes[at]! > 127) return decoder.decode(bytes.subarray(from, to))
  let text = ''
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]!)
  return text
}
