import { Writer } from './bytes.ts'
import { Dictionary, DictionaryWriter } from './dictionary.ts'
import { type Facts, readFacts, writeFacts } from './facts.ts'
import { files, join, type Pages, pageSize } from './pages.ts'
import { type PostingEntry, type PostingsWriter, readEntry, writeEntry } from './postings.ts'

/** The bytes of a segment besides its postings, which are read in parts. */
interface Contents {
  facts: Uint8Array<ArrayBuffer>
  terms: Uint8Array<ArrayBuffer>
  words: Uint8Array<ArrayBuffer>
}

/**
 * Documents and the index over them: neither changes. Its documents are numbered from 0 in the order of their rows; that one
 * is dead, because it was removed or replaced since, is known in memory and taken account of when segments are merged.
 */
export class Segment {
  readonly facts: Facts
  readonly terms: Dictionary
  /** 1 for each document that is dead. */
  readonly dead: Uint8Array
  /** A part of its postings, to be read at once. */
  readonly read: (offset: number, length: number) => Uint8Array
  /** Bytes of its postings and terms. */
  readonly size: number
  deaths = 0
  readonly #readWords: () => Uint8Array
  #words: Dictionary | undefined

  constructor(facts: Facts, terms: Uint8Array, readWords: () => Uint8Array, read: Segment['read'], postings: number) {
    this.facts = facts
    this.terms = new Dictionary(terms)
    this.dead = new Uint8Array(facts.rows.length)
    this.read = read
    this.size = terms.length + postings
    this.#readWords = readWords
  }

  /** Words as they are before stemming, each with its term. */
  get words(): Dictionary {
    this.#words ??= new Dictionary(this.#readWords())
    return this.#words
  }

  find(term: Uint8Array): PostingEntry | undefined {
    const reader = this.terms.find(term)
    return reader && readEntry(reader)
  }

  /** Marks the document of a row as dead; its length, if it is of this segment and was alive. */
  kill(row: number): number | undefined {
    const document = search(this.facts.rows, row)
    if (document < 0 || this.dead[document]) return undefined
    this.deaths++
    this.dead[document] = 1
    return this.facts.lengths[document]
  }
}

function search(sorted: Float64Array, wanted: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return sorted[low] === wanted ? low : -1
}

/** A segment that was made just now, and is nowhere else. */
function inMemory({ facts, terms, words }: Contents, postings: Uint8Array): Segment {
  const read = (offset: number, length: number) => postings.subarray(offset, offset + length)
  return new Segment(readFacts(facts), terms, () => words, read, postings.length)
}

/** A segment that lies in pages. */
export function onDisk(pages: Pages, id: number, postings: number): Segment {
  const facts = readFacts(pages.readFile(id, files.facts))
  const read = (offset: number, length: number) => pages.read(id, files.postings, offset, length)
  return new Segment(facts, pages.readFile(id, files.terms), () => pages.readFile(id, files.words), read, postings)
}

/** Writes a segment, its postings page by page; terms and words in the order of their bytes. */
export class SegmentWriter {
  /** Bytes of postings so far. */
  length = 0
  readonly #terms = new DictionaryWriter()
  readonly #words = new DictionaryWriter()
  readonly #value = new Writer()
  readonly #emit: (page: Uint8Array<ArrayBuffer>) => void
  readonly #page = new Writer(2 * pageSize)

  constructor(emit: (page: Uint8Array<ArrayBuffer>) => void) {
    this.#emit = emit
  }

  term(key: Uint8Array, change: number, { count, last, out }: PostingsWriter, positions: Uint8Array) {
    if (count === 0 && change === 0) return
    this.#value.length = 0
    const sizes = { length: out.length, positionsLength: positions.length }
    writeEntry(this.#value, { count, change, offset: this.length, ...sizes, last })
    this.#terms.add(key, this.#value.view())
    this.#write(out.view())
    this.#write(positions)
  }

  /** A word as it is before stemming, by how much this changes the number of documents that have it, and its term. */
  word(key: Uint8Array, change: number, term: Uint8Array) {
    if (change === 0) return
    this.#value.length = 0
    this.#value.signed(change)
    this.#value.bytes(term)
    this.#words.add(key, this.#value.view())
  }

  end(facts: Facts): Contents {
    if (this.#page.length > 0) this.#emit(this.#page.copy())
    return { facts: writeFacts(facts), terms: this.#terms.end(), words: this.#words.end() }
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
export function writeInMemory(write: (writer: SegmentWriter) => Facts): Segment {
  const pages: Uint8Array[] = []
  const writer = new SegmentWriter((page) => pages.push(page))
  const facts = write(writer)
  return inMemory(writer.end(facts), join(pages))
}
