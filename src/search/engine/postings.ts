import { Reader, Writer } from './bytes.ts'

/** Where a term's postings lie in a segment, and how many there are. */
export interface PostingEntry {
  /** Documents of the segment that have it, those that are dead by now included. */
  count: number
  /** By how much the segment changes the number of documents that have it: those that it took out count against. */
  change: number
  /** Where its bytes begin: first which documents have it and how often, then where. */
  offset: number
  length: number
  positionsLength: number
  /** The last document that has it. */
  last: number
}

export function readEntry(reader: Reader): PostingEntry {
  const count = reader.number()
  const change = reader.signed()
  if (count === 0) return { count, change, offset: 0, length: 0, positionsLength: 0, last: 0 }
  const [offset, length, positionsLength] = [reader.number(), reader.number(), reader.number()]
  return { count, change, offset, length, positionsLength, last: reader.number() }
}

export function writeEntry(out: Writer, { count, change, offset, length, positionsLength, last }: PostingEntry) {
  out.number(count)
  out.signed(change)
  if (count === 0) return
  out.number(offset)
  out.number(length)
  out.number(positionsLength)
  out.number(last)
}

/** Which documents of a segment have a term, and how often, in the title and in the text. Only the first `count` count. */
export interface Postings {
  count: number
  documents: Uint32Array
  titles: Uint32Array
  texts: Uint32Array
}

export const roomFor = (count: number): Postings => ({
  count: 0,
  documents: new Uint32Array(count),
  titles: new Uint32Array(count),
  texts: new Uint32Array(count),
})

/**
 * A posting is the distance from the document before, times four, and in what is left over how often: once in the text; so
 * often in the text; once in the title and so often in the text; so often in the title and in the text.
 */
export class PostingsWriter {
  readonly out = new Writer(4096)
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

  /** Adds the postings of another segment as they are, by what is added to the numbers of its documents. */
  append(bytes: Uint8Array, { count, last }: PostingEntry, shift: number) {
    const reader = new Reader(bytes)
    const first = reader.number()
    this.out.number(first + 4 * (shift - this.#next))
    this.out.bytes(bytes.subarray(reader.at))
    this.#next = shift + last + 1
    this.count += count
  }

  /** The last document that was added. */
  get last(): number {
    return this.#next - 1
  }

  clear() {
    this.out.length = 0
    this.count = 0
    this.#next = 0
  }
}

export function readPostings(bytes: Uint8Array, count: number, into: Postings): Postings {
  const { documents, titles, texts } = into
  const reader = new Reader(bytes)
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
