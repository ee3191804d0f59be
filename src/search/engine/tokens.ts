import type { Writer } from './bytes.ts'
import type { PostingsWriter } from './postings.ts'

/** Words in the order in which they come, as numbers. */
export class Tokens {
  #terms = new Uint32Array(1024)
  #documents = new Uint32Array(1024)
  #places = new Uint32Array(1024)
  #length = 0

  /** `place`: twice the position, and one more in the title. */
  add(term: number, document: number, place: number) {
    if (this.#length === this.#terms.length) this.#grow()
    this.#terms[this.#length] = term
    this.#documents[this.#length] = document
    this.#places[this.#length++] = place
  }

  byTerm(terms: number): SortedTokens {
    const starts = new Uint32Array(terms + 1)
    for (let i = 0; i < this.#length; i++) starts[this.#terms[i]! + 1]!++
    for (let term = 0; term < terms; term++) starts[term + 1]! += starts[term]!
    const next = starts.slice()
    const documents = new Uint32Array(this.#length)
    const places = new Uint32Array(this.#length)
    for (let i = 0; i < this.#length; i++) {
      const at = next[this.#terms[i]!]!++
      documents[at] = this.#documents[i]!
      places[at] = this.#places[i]!
    }
    return new SortedTokens(starts, documents, places)
  }

  #grow() {
    const grown = (from: Uint32Array) => {
      const larger = new Uint32Array(2 * from.length)
      larger.set(from)
      return larger
    }
    this.#terms = grown(this.#terms)
    this.#documents = grown(this.#documents)
    this.#places = grown(this.#places)
  }
}

class SortedTokens {
  readonly #starts: Uint32Array
  readonly #documents: Uint32Array
  readonly #places: Uint32Array

  constructor(starts: Uint32Array, documents: Uint32Array, places: Uint32Array) {
    this.#starts = starts
    this.#documents = documents
    this.#places = places
  }

  /** Writes which documents have a term, and where. */
  write(term: number, postings: PostingsWriter, positions: Writer) {
    const end = this.#starts[term + 1]!
    for (let at = this.#starts[term]!; at < end; ) {
      const document = this.#documents[at]!
      const from = at
      while (at < end && this.#documents[at] === document && this.#places[at]! & 1) at++
      const title = at - from
      this.#writePositions(from, at, positions)
      const middle = at
      while (at < end && this.#documents[at] === document) at++
      this.#writePositions(middle, at, positions)
      postings.add(document, title, at - middle)
    }
  }

  #writePositions(from: number, to: number, positions: Writer) {
    let next = 0
    for (let at = from; at < to; at++) {
      const position = this.#places[at]! >>> 1
      positions.number(position - next)
      next = position + 1
    }
  }
}
