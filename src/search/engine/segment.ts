// A segment, which is an immutable part of the inverted index, and the writer of segments.
import { ByteWriter } from './bytes.ts'
import { Dictionary, DictionaryWriter } from './dictionary.ts'
import { type DocValues, decodeDocValues, encodeDocValues } from './doc-values.ts'
import { files, join, type PageStore, pageSize } from './page-store.ts'
import { decodeEntry, encodeEntry, type PostingEntry, type PostingsWriter } from './postings.ts'

/** The files of a segment that are read as a whole. The postings are read in parts. */
interface SegmentFiles {
  docValues: Uint8Array<ArrayBuffer>
  terms: Uint8Array<ArrayBuffer>
  words: Uint8Array<ArrayBuffer>
}

/**
 * An immutable part of the index. Its documents are numbered from 0 in the order of their rows. Documents that were deleted or
 * replaced later are marked in memory, and dropped when segments are merged.
 */
export class Segment {
  readonly docValues: DocValues
  readonly terms: Dictionary
  /** 1 for each document that is deleted, else 0. */
  readonly deleted: Uint8Array
  /** Reads a part of the postings. The result is valid until the next call. */
  readonly read: (offset: number, length: number) => Uint8Array
  /** Size of the postings and the term dictionary in bytes. merge-policy.ts chooses segments by this size. */
  readonly size: number
  deletedCount = 0
  readonly #readWords: () => Uint8Array
  #words: Dictionary | undefined

  constructor(
    docValues: DocValues,
    terms: Uint8Array,
    readWords: () => Uint8Array,
    read: Segment['read'],
    postingsBytes: number,
  ) {
    this.docValues = docValues
    this.terms = new Dictionary(terms)
    this.deleted = new Uint8Array(docValues.rows.length)
    this.read = read
    this.size = terms.length + postingsBytes
    this.#readWords = readWords
  }

  /**
   * Dictionary of the unstemmed words, each with its term. Loaded at the first prefix query, since other queries do not need it.
   */
  get words(): Dictionary {
    this.#words ??= new Dictionary(this.#readWords())
    return this.#words
  }

  /** Returns the dictionary entry of a term; undefined if no document has it. */
  find(term: Uint8Array): PostingEntry | undefined {
    const reader = this.terms.get(term)
    return reader && decodeEntry(reader)
  }

  /**
   * Marks the document of a row as deleted. Returns its length in words, or undefined if the segment does not have the document or
   * it is already deleted.
   */
  markDeleted(row: number): number | undefined {
    const document = binarySearch(this.docValues.rows, row)
    if (document < 0 || this.deleted[document]) return undefined
    this.deletedCount++
    this.deleted[document] = 1
    return this.docValues.lengths[document]
  }
}

function binarySearch(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return sorted[low] === value ? low : -1
}

/** Opens a segment that exists in memory only. */
function inMemory({ docValues, terms, words }: SegmentFiles, postings: Uint8Array): Segment {
  const read = (offset: number, length: number) => postings.subarray(offset, offset + length)
  return new Segment(decodeDocValues(docValues), terms, () => words, read, postings.length)
}

/** Opens a segment in the page store. */
export function onDisk(pages: PageStore, id: number, postings: number): Segment {
  const docValues = decodeDocValues(pages.readFile(id, files.docValues))
  const read = (offset: number, length: number) => pages.read(id, files.postings, offset, length)
  return new Segment(docValues, pages.readFile(id, files.terms), () => pages.readFile(id, files.words), read, postings)
}

/**
 * Writes a segment. Terms and words must come in the order of their bytes. Postings are passed on page by page, so that they are
 * never in memory as a whole.
 */
export class SegmentWriter {
  /** Size of the postings so far, in bytes. */
  length = 0
  readonly #terms = new DictionaryWriter()
  readonly #words = new DictionaryWriter()
  readonly #value = new ByteWriter()
  readonly #emit: (page: Uint8Array<ArrayBuffer>) => void
  readonly #page = new ByteWriter(2 * pageSize)

  constructor(emit: (page: Uint8Array<ArrayBuffer>) => void) {
    this.#emit = emit
  }

  /** Adds a term with its change in document frequency, its postings and its positions. */
  term(key: Uint8Array, change: number, { count, last, out }: PostingsWriter, positions: Uint8Array) {
    if (count === 0 && change === 0) return
    this.#value.length = 0
    const sizes = { length: out.length, positionsLength: positions.length }
    encodeEntry(this.#value, { count, change, offset: this.length, ...sizes, last })
    this.#terms.add(key, this.#value.view())
    this.#write(out.view())
    this.#write(positions)
  }

  /** Adds an unstemmed word with its change in document frequency and its term. */
  word(key: Uint8Array, change: number, term: Uint8Array) {
    if (change === 0) return
    this.#value.length = 0
    this.#value.signed(change)
    this.#value.bytes(term)
    this.#words.add(key, this.#value.view())
  }

  end(docValues: DocValues): SegmentFiles {
    if (this.#page.length > 0) this.#emit(this.#page.copy())
    return { docValues: encodeDocValues(docValues), terms: this.#terms.end(), words: this.#words.end() }
  }

  #write(bytes: Uint8Array) {
    this.length += bytes.length
    this.#page.bytes(bytes)
    if (this.#page.length < pageSize) return
    const all = this.#page.copy()
    const whole = all.length - (all.length % pageSize)
    for (let at = 0; at < whole; at += pageSize) this.#emit(all.slice(at, at + pageSize))
    this.#page.length = 0
    this.#page.bytes(all.subarray(whole))
  }
}

/** Writes a segment that stays in memory. */
export function writeInMemory(write: (writer: SegmentWriter) => DocValues): Segment {
  const pages: Uint8Array[] = []
  const writer = new SegmentWriter((page) => pages.push(page))
  const docValues = write(writer)
  return inMemory(writer.end(docValues), join(pages))
}
