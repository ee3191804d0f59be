import type { Analysis, Word } from '#search/analysis/analysis'
import { toBytes, Writer } from './bytes.ts'
import type { Variant } from './documents.ts'
import { type Facts, factsFor } from './facts.ts'
import { Numbered } from './numbered.ts'
import { PostingsWriter } from './postings.ts'
import { titleWeight } from './relevance.ts'
import { type Segment, type SegmentWriter, writeInMemory } from './segment.ts'
import { Tokens } from './tokens.ts'

/** The text of a document, and which it is. */
export interface NumberedDocument {
  row: number
  seq: number
  title: string | null
  text: string
}

/** Marks the beginnings of words, of at most three characters, among the terms; in no term of a text. */
export const beginning = '\u0001'

/** The index over these documents, in the order of their rows. Those that are removed count against the others. */
export function invert(
  analysis: Analysis,
  variant: Variant,
  rows: readonly NumberedDocument[],
  removed: readonly NumberedDocument[],
): Segment {
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

  add({ title, text }: NumberedDocument, document: number) {
    let position = 0
    const visit = (isTitle: number) => (word: Word) =>
      this.tokens.add(this.#count(word, document, 1), document, 2 * position++ + isTitle)
    if (title !== null) this.analysis.each(title, visit(1))
    const titleLength = position
    position = 0
    this.analysis.each(text, visit(0))
    this.#lengths.push(titleWeight * titleLength + position)
  }

  remove({ row, title, text }: NumberedDocument) {
    const visit = (word: Word) => this.#count(word, -row, -1)
    if (title !== null) this.analysis.each(title, visit)
    this.analysis.each(text, visit)
  }

  facts(rows: readonly NumberedDocument[]): Facts {
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

  override add({ text }: NumberedDocument, document: number) {
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
