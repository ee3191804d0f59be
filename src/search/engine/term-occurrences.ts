// Collects at which positions terms occur in new documents, and sorts these by term, as postings need them.
import type { ByteWriter } from './bytes.ts'
import type { PostingsWriter } from './postings.ts'

/** Collects the occurrences of terms in documents as numbers, in reading order, in typed arrays. */
export class TermOccurrences {
  #terms = new Uint32Array(1024)
  #documents = new Uint32Array(1024)
  #positions = new Uint32Array(1024)
  #length = 0

  /** Adds an occurrence. `position` is 2 × the word's position, plus 1 if the word is in the title. */
  add(term: number, document: number, position: number) {
    if (this.#length === this.#terms.length) this.#grow()
    this.#terms[this.#length] = term
    this.#documents[this.#length] = document
    this.#positions[this.#length++] = position
  }

  /** Sorts the occurrences by term in linear time (counting sort). */
  byTerm(terms: number): SortedOccurrences {
    const starts = new Uint32Array(terms + 1)
    for (let i = 0; i < this.#length; i++) starts[this.#terms[i]! + 1]!++
    for (let term = 0; term < terms; term++) starts[term + 1]! += starts[term]!
    const next = starts.slice()
    const documents = new Uint32Array(this.#length)
    const positions = new Uint32Array(this.#length)
    for (let i = 0; i < this.#length; i++) {
      const at = next[this.#terms[i]!]!++
      documents[at] = this.#documents[i]!
      positions[at] = this.#positions[i]!
    }
    return new SortedOccurrences(starts, documents, positions)
  }

  #grow() {
    const grown = (from: Uint32Array) => {
      const larger = new Uint32Array(2 * from.length)
      larger.set(from)
      return larger
    }
    this.#terms = grown(this.#terms)
    this.#documents = grown(this.#documents)
    this.#positions = grown(this.#positions)
  }
}

/** Occurrences grouped by term. Those of a term are in the order of documents, in a document the title before the text. */
class SortedOccurrences {
  readonly #starts: Uint32Array
  readonly #documents: Uint32Array
  readonly #positions: Uint32Array

  constructor(starts: Uint32Array, documents: Uint32Array, positions: Uint32Array) {
    this.#starts = starts
    this.#documents = documents
    this.#positions = positions
  }

  /** Writes the postings and positions of a term. */
  write(term: number, postings: PostingsWriter, positions: ByteWriter) {
    const end = this.#starts[term + 1]!
    for (let at = this.#starts[term]!; at < end; ) {
      const document = this.#documents[at]!
      const from = at
      while (at < end && this.#documents[at] === document && this.#positions[at]! & 1) at++
      const title = at - from
      this.#writePositions(from, at, positions)
      const middle = at
      while (at < end && this.#documents[at] === document) at++
      this.#writePositions(middle, at, positions)
      postings.add(document, title, at - middle)
    }
  }

  #writePositions(from: number, to: number, positions: ByteWriter) {
    let next = 0
    for (let at = from; at < to; at++) {
      const position = this.#positions[at]! >>> 1
      positions.number(position - next)
      next = position + 1
    }
  }
}
