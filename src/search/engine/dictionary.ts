// The sorted dictionary of a segment, which maps each key, such as a term, to a few bytes. It is front-coded, and searched without
// decoding all of it.
import { ByteReader, ByteWriter } from './bytes.ts'

/**
 * Number of keys in a block. The first key of a block is stored in full, each other key as its difference from the previous one.
 */
const blockSize = 16

/** Maximum size of a key in bytes: 64 UTF-16 units in UTF-8, and the prefix marker. */
export const maxKeyBytes = 256

/**
 * Writes a front-coded dictionary. Keys come in ascending order of their bytes, each with a value of a few bytes. The footer has
 * the number of blocks and their lengths; the last four bytes are the length of the footer.
 */
export class DictionaryWriter {
  readonly #out = new ByteWriter(4096)
  readonly #blocks: number[] = []
  readonly #previous = new Uint8Array(maxKeyBytes)
  #previousLength = 0
  #count = 0

  add(key: Uint8Array, value: Uint8Array) {
    const isFirst = this.#count++ % blockSize === 0
    if (isFirst) this.#blocks.push(this.#out.length)
    const shared = isFirst ? 0 : commonPrefixBytes(this.#previous, this.#previousLength, key)
    this.#out.number(shared)
    this.#out.number(key.length - shared)
    this.#out.bytes(key.subarray(shared))
    this.#out.number(value.length)
    this.#out.bytes(value)
    this.#previous.set(key)
    this.#previousLength = key.length
  }

  end(): Uint8Array<ArrayBuffer> {
    const end = this.#out.length
    this.#out.number(this.#blocks.length)
    for (const [i, start] of this.#blocks.entries()) this.#out.number((this.#blocks[i + 1] ?? end) - start)
    const footer = this.#out.length - end
    this.#out.bytes(new Uint8Array([footer, footer >>> 8, footer >>> 16, footer >>> 24]))
    return this.#out.copy()
  }
}

/** Returns the length in bytes of the common prefix of two keys, without the start of a character that both share only in part. */
function commonPrefixBytes(one: Uint8Array, length: number, other: Uint8Array): number {
  const limit = Math.min(length, other.length)
  let shared = 0
  while (shared < limit && one[shared] === other[shared]) shared++
  while (shared > 0 && isContinuationByte(other[shared] ?? 0)) shared--
  return shared
}

/** Whether a byte of UTF-8 continues a character, so that a key must not be cut before this byte. */
const isContinuationByte = (byte: number) => (byte & 0xc0) === 0x80

/** A sorted map from keys to small values, read in place from its front-coded bytes. */
export class Dictionary {
  readonly bytes: Uint8Array
  /** Offset of each block in the file, and the end of the last block. */
  readonly blocks: Uint32Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    const footer = bytes.at(-4)! | (bytes.at(-3)! << 8) | (bytes.at(-2)! << 16) | (bytes.at(-1)! << 24)
    const reader = new ByteReader(bytes, bytes.length - 4 - footer)
    this.blocks = new Uint32Array(reader.number() + 1)
    for (let i = 1; i < this.blocks.length; i++) this.blocks[i] = this.blocks[i - 1]! + reader.number()
  }

  /** Returns a reader at the value of a key; undefined if the key does not exist. */
  get(key: Uint8Array): ByteReader | undefined {
    const cursor = this.seek(key)
    return cursor && cursor.compare(key) === 0 ? cursor.value() : undefined
  }

  /** Returns a cursor on the first key that is not less than `key`; undefined if there is none. */
  seek(key: Uint8Array): Cursor | undefined {
    const cursor = new Cursor(this, Math.max(0, this.blockAfter(key) - 1))
    while (cursor.next()) if (cursor.compare(key) >= 0) return cursor
    return undefined
  }

  /** Returns a cursor before the first key. */
  start(): Cursor {
    return new Cursor(this, 0)
  }

  /**
   * Binary search: returns the first block, starting with block `from`, whose first key is greater than `key`; the number of blocks
   * if there is none.
   */
  blockAfter(key: Uint8Array, from = 0): number {
    let low = from
    let high = this.blocks.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compareFirst(middle, key) > 0) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Whether the block exists and its first key begins with the first `length` bytes of `key`. */
  blockStartsWith(block: number, key: Uint8Array, length: number): boolean {
    if (block >= this.blocks.length - 1) return false
    const start = this.blocks[block]! + (this.bytes[this.blocks[block]! + 1]! < 128 ? 2 : 3)
    for (let i = 0; i < length; i++) if (this.bytes[start + i] !== key[i]) return false
    return true
  }

  /** Compares the first key of a block with another key. The result is negative, 0 or positive. */
  #compareFirst(block: number, key: Uint8Array): number {
    const at = this.blocks[block]! + 1 // The first key shares 0 bytes, which takes one byte. Its length takes one byte or two.
    const long = this.bytes[at]! > 127
    const length = long ? (this.bytes[at]! & 127) + this.bytes[at + 1]! * 128 : this.bytes[at]!
    return compareBytes(this.bytes, at + (long ? 2 : 1), length, key)
  }
}

function compareBytes(bytes: Uint8Array, at: number, length: number, key: Uint8Array): number {
  const limit = Math.min(length, key.length)
  for (let i = 0; i < limit; i++) {
    const difference = bytes[at + i]! - key[i]!
    if (difference !== 0) return difference
  }
  return length - key.length
}

/** Iterates over a dictionary in key order. */
export class Cursor {
  /** Buffer whose first `length` bytes are the current key. Each step overwrites it. */
  readonly key = new Uint8Array(maxKeyBytes)
  length = 0
  readonly #reader: ByteReader
  readonly #end: number
  #valueLength = 0

  constructor(dictionary: Dictionary, block: number) {
    this.#reader = new ByteReader(dictionary.bytes, dictionary.blocks[block])
    this.#end = dictionary.blocks.at(-1)!
  }

  next(): boolean {
    const reader = this.#reader
    reader.at += this.#valueLength
    this.#valueLength = 0
    if (reader.at >= this.#end) return false
    const from = reader.number()
    const rest = reader.number()
    const { key } = this
    const { bytes } = reader
    let { at } = reader
    for (let i = from; i < from + rest; i++) key[i] = bytes[at++]!
    this.length = from + rest
    reader.at = at
    this.#valueLength = reader.number()
    return true
  }

  /** Returns a reader at the value of the current key. */
  value(): ByteReader {
    return new ByteReader(this.#reader.bytes, this.#reader.at)
  }

  get valueBytes(): Uint8Array {
    return this.#reader.bytes.subarray(this.#reader.at, this.#reader.at + this.#valueLength)
  }

  compare(key: Uint8Array, length = key.length): number {
    const limit = Math.min(length, this.length)
    for (let i = 0; i < limit; i++) {
      const difference = this.key[i]! - key[i]!
      if (difference !== 0) return difference
    }
    return this.length - length
  }

  startsWith(prefix: Uint8Array): boolean {
    if (this.length < prefix.length) return false
    for (let i = 0; i < prefix.length; i++) if (this.key[i] !== prefix[i]) return false
    return true
  }
}
