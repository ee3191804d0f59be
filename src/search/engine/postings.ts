// Encodes and decodes postings: the list of the documents that have a term, and how often each has it.
import { ByteReader, ByteWriter } from './bytes.ts'

/** Dictionary entry of a term: where its postings are in a segment, and their number. */
export interface PostingEntry {
  /** Number of documents of the segment with the term, deleted ones included. */
  count: number
  /**
   * Change in document frequency: the number of documents added with the term, minus those deleted. The sum over all segments is
   * the document frequency.
   */
  change: number
  /** Offset of the postings in the file of postings. The positions of the term follow them. */
  offset: number
  /** Size of the postings in bytes. */
  length: number
  /** Size of the positions in bytes. */
  positionsLength: number
  /** Number of the last document with the term. A merge needs it to append postings. */
  last: number
}

export function decodeEntry(reader: ByteReader): PostingEntry {
  const count = reader.number()
  const change = reader.signed()
  if (count === 0) return { count, change, offset: 0, length: 0, positionsLength: 0, last: 0 }
  const [offset, length, positionsLength] = [reader.number(), reader.number(), reader.number()]
  return { count, change, offset, length, positionsLength, last: reader.number() }
}

export function encodeEntry(out: ByteWriter, { count, change, offset, length, positionsLength, last }: PostingEntry) {
  out.number(count)
  out.signed(change)
  if (count === 0) return
  out.number(offset)
  out.number(length)
  out.number(positionsLength)
  out.number(last)
}

/**
 * Decoded postings of a term: the documents, and the term frequencies in title and text. Only the first `count` elements of each
 * array are valid, since the arrays are reused.
 */
export interface Postings {
  count: number
  documents: Uint32Array
  titles: Uint32Array
  texts: Uint32Array
}

export const allocatePostings = (count: number): Postings => ({
  count: 0,
  documents: new Uint32Array(count),
  titles: new Uint32Array(count),
  texts: new Uint32Array(count),
})

/**
 * Encodes postings. The first number of a posting is 4 × the distance from the previous document, plus the kind of its frequencies:
 * 0 for once in the text; 1 if the text frequency follows; 2 for once in the title, and the text frequency follows; 3 if the title
 * and text frequencies follow.
 */
export class PostingsWriter {
  readonly out = new ByteWriter(4096)
  count = 0
  #next = 0

  add(document: number, title: number, text: number) {
    const distance = 4 * (document - this.#next)
    this.#next = document + 1
    this.count++
    const { out } = this
    if (title === 0 && text === 1) return out.number(distance)
    out.number(distance + (title === 0 ? 1 : title === 1 ? 2 : 3))
    if (title > 1) out.number(title)
    out.number(text)
  }

  /** Appends the encoded postings of another segment, whose document numbers are increased by `shift`. */
  append(bytes: Uint8Array, { count, last }: PostingEntry, shift: number) {
    const reader = new ByteReader(bytes)
    const first = reader.number()
    this.out.number(first + 4 * (shift - this.#next))
    this.out.bytes(bytes.subarray(reader.at))
    this.#next = shift + last + 1
    this.count += count
  }

  /** Number of the last document that was added. */
  get last(): number {
    return this.#next - 1
  }

  clear() {
    this.out.length = 0
    this.count = 0
    this.#next = 0
  }
}

export function decodePostings(bytes: Uint8Array, count: number, into: Postings): Postings {
  const { documents, titles, texts } = into
  const reader = new ByteReader(bytes)
  let next = 0
  for (let i = 0; i < count; i++) {
    const coded = reader.number()
    const kind = coded & 3
    next += coded >>> 2
    documents[i] = next++
    titles[i] = kind === 3 ? reader.number() : kind === 2 ? 1 : 0
    texts[i] = kind === 0 ? 1 : reader.number()
  }
  into.count = count
  return into
}
