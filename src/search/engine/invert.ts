import type { Analysis, Word } from '#search/analysis/analysis'
import { toBytes, Writer } from './bytes.ts'
import { type Facts, factsFor } from './facts.ts'
import type { Variant } from './inverted-index.ts'
import { PostingsWriter } from './postings.ts'
import { titleWeight } from './relevance.ts'
import { type Segment, type SegmentWriter, writeInMemory } from './segment.ts'

/** The text of a document, and which it is. */
export interface Row {
  row: number
  seq: number
  title: string | null
  text: string
}

/** Marks the beginnings of words, of at most three characters, among the terms; in no term of a text. */
export const beginning = '\u0001'

/** The index over these documents, in the order of their rows. Those that are removed count against the others. */
export function invert(analysis: Analysis, variant: Variant, rows: readonly Row[], removed: readonly Row[]): Segment {
  const inverter = variant === 'fulltext' ? new Inverter(analysis) : new BeginningsInverter(analysis)
  for (const [i, row] of rows.entries()) inverter.add(row, i)
  for (const row of removed) inverter.remove(row)
  return writeInMemory((writer) => {
    inverter.write(writer)
    return inverter.facts(rows)
  })
}

const nothing = new Uint8Array(0)

/** Collects the words of documents, and sorts them by term. */
class Inverter {
  protected readonly analysis: Analysis
  protected readonly terms = new Numbered()
  readonly #words = new Numbered()
  /** By the object, which is the same for a word that comes often, where a text would have to be compared. */
  protected readonly numbers = new Map<Word, number>()
  /** The term of each word, by the word's number. */
  readonly #termOf: number[] = []
  readonly #lengths: number[] = []
  protected readonly tokens = new Tokens()

  constructor(analysis: Analysis) {
    this.analysis = analysis
  }

  add({ title, text }: Row, document: number) {
    let position = 0
    const visit = (isTitle: number) => (word: Word) =>
      this.tokens.add(this.#count(word, document, 1), document, 2 * position++ + isTitle)
    if (title !== null) this.analysis.each(title, visit(1))
    const titleLength = position
    position = 0
    this.analysis.each(text, visit(0))
    this.#lengths.push(titleWeight * titleLength + position)
  }

  remove({ row, title, text }: Row) {
    const visit = (word: Word) => this.#count(word, -row, -1)
    if (title !== null) this.analysis.each(title, visit)
    this.analysis.each(text, visit)
  }

  facts(rows: readonly Row[]): Facts {
    const facts = factsFor(rows.length)
    rows.forEach(({ row, seq }, i) => {
      facts.rows[i] = row
      facts.seqs[i] = seq
      facts.lengths[i] = this.lengths[i]!
    })
    return facts
  }

  write(writer: SegmentWriter) {
    this.writeTerms(writer, true)
    for (const word of this.#words.sorted()) {
      const term = toBytes(this.terms.names[this.#termOf[word]!]!)
      writer.word(toBytes(this.#words.names[word]!), this.#words.changes[word]!, term)
    }
  }

  protected get lengths(): readonly number[] {
    return this.#lengths
  }

  protected writeTerms(writer: SegmentWriter, withPositions: boolean) {
    const sorted = this.tokens.byTerm(this.terms.names.length)
    const postings = new PostingsWriter()
    const positions = new Writer()
    for (const term of this.terms.sorted()) {
      postings.clear()
      positions.length = 0
      sorted.write(term, postings, positions)
      const key = toBytes(this.terms.names[term]!)
      writer.term(key, this.terms.changes[term]!, postings, withPositions ? positions.view() : nothing)
    }
  }

  /** Notes a word of a document, once for each; returns the number of its term. */
  #count(word: Word, document: number, change: number): number {
    const number = this.numbers.get(word) ?? this.#number(word)
    const term = this.#termOf[number]!
    if (this.terms.isNew(term, document)) this.terms.changes[term]! += change
    if (this.#words.isNew(number, document)) this.#words.changes[number]! += change
    return term
  }

  #number(word: Word): number {
    const number = this.#words.of(word.word)
    this.#termOf[number] = this.terms.of(word.term)
    this.numbers.set(word, number)
    return number
  }
}

/** As you type only matters which documents have a word, or one that begins so; never how often, or where. */
class BeginningsInverter extends Inverter {
  readonly #beginnings: number[][] = []
  readonly #counts: number[] = []

  override add({ text }: Row, document: number) {
    let length = 0
    this.analysis.each(text, (word) => {
      length++
      const number = this.numbers.get(word) ?? this.#number(word)
      if (!this.#put(number, document)) return
      for (const one of this.#beginnings[number]!) this.#put(one, document)
    })
    this.#counts.push(length)
  }

  override remove() {}

  override write(writer: SegmentWriter) {
    this.writeTerms(writer, false)
  }

  protected override get lengths(): readonly number[] {
    return this.#counts
  }

  #number(word: Word): number {
    const number = this.terms.of(word.term)
    this.#beginnings[number] ??= beginningsOf(word.term).map((one) => this.terms.of(one))
    this.numbers.set(word, number)
    return number
  }

  #put(term: number, document: number): boolean {
    const isNew = this.terms.isNew(term, document)
    if (isNew) this.tokens.add(term, document, 0)
    return isNew
  }
}

/** Beginnings of at most so many characters have postings of their own. */
const listed = 3

/** Whether a beginning has postings of its own. */
export const isListed = (characters: string) => [...characters.slice(0, 2 * listed + 1)].length <= listed

/** The first character of a word, the first two, the first three, each marked. */
function beginningsOf(term: string): string[] {
  const characters = Array.from(term.slice(0, 2 * listed)).slice(0, listed)
  return characters.map((_, i) => beginning + characters.slice(0, i + 1).join(''))
}

/** Texts by numbers, in the order in which they came. */
class Numbered {
  readonly names: string[] = []
  readonly changes: number[] = []
  readonly #numbers = new Map<string, number>()
  readonly #lastIn: number[] = []

  of(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.names.length)
    this.changes.push(0)
    this.#lastIn.push(Number.NaN)
    return this.names.push(name) - 1
  }

  /** Whether it comes for the first time in this document, which is asked for only once. */
  isNew(number: number, document: number): boolean {
    if (this.#lastIn[number] === document) return false
    this.#lastIn[number] = document
    return true
  }

  /** The numbers in the order of the names' bytes. */
  sorted(): number[] {
    const order = this.names.map((_, i) => i)
    const { names } = this
    // UTF-16 units and UTF-8 differ in their order only past the surrogates.
    if (names.some((name) => /[\ud800-\uffff]/.test(name)))
      return order.sort((a, b) => byCharacters(names[a]!, names[b]!))
    return order.sort((a, b) => (names[a]! < names[b]! ? -1 : 1))
  }
}

function byCharacters(one: string, other: string): number {
  for (let at = 0; at < one.length && at < other.length; at++) {
    if (one.charCodeAt(at) === other.charCodeAt(at)) continue
    return one.codePointAt(at)! - other.codePointAt(at)!
  }
  return one.length - other.length
}

/** Words in the order in which they come, as numbers. */
class Tokens {
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
