// Inverts documents: collects their words, and builds a segment in memory that maps each term to its documents.
import type { Analyzer, Word } from '#search/analysis/types'
import { titleWeight } from './bm25.ts'
import { ByteWriter, toBytes } from './bytes.ts'
import { type DocValues, newDocValues } from './doc-values.ts'
import type { Variant } from './indexed-document.ts'
import { Interner } from './interner.ts'
import { PostingsWriter } from './postings.ts'
import { type Segment, type SegmentWriter, writeInMemory } from './segment.ts'
import { TermOccurrences } from './term-occurrences.ts'

/** A row of the table `documents`, as the inverter reads it. */
export interface IndexedRow {
  row: number
  seq: number
  title: string | null
  text: string
}

/** First character of the terms that stand for short prefixes. No word contains it, so such a term cannot equal a word. */
export const prefixMarker = '\u0001'

/**
 * Inverts documents into a segment in memory; the documents are in the order of their rows. The words of removed documents are
 * subtracted from the document frequencies.
 */
export function invert(
  analyzer: Analyzer,
  variant: Variant,
  rows: readonly IndexedRow[],
  removed: readonly IndexedRow[],
): Segment {
  const inverter = variant === 'fulltext' ? new Inverter(analyzer) : new PrefixInverter(analyzer)
  for (const [i, row] of rows.entries()) inverter.add(row, i)
  for (const row of removed) inverter.remove(row)
  return writeInMemory((writer) => {
    inverter.write(writer)
    return inverter.docValues(rows)
  })
}

const noPositions = new Uint8Array(0)

/** Inverts documents of a full-text index: collects their words, and sorts them by term. */
class Inverter {
  protected readonly analyzer: Analyzer
  protected readonly terms = new Interner()
  readonly #words = new Interner()
  /**
   * Numbers of words. The key is the Word object, which the analyzer reuses for a repeated word: comparing identities is faster
   * than comparing texts.
   */
  protected readonly numbers = new Map<Word, number>()
  /** Number of the term of each word, by the word's number. */
  readonly #termOf: number[] = []
  readonly #lengths: number[] = []
  protected readonly occurrences = new TermOccurrences()

  constructor(analyzer: Analyzer) {
    this.analyzer = analyzer
  }

  add({ title, text }: IndexedRow, document: number) {
    let position = 0
    const visit = (isTitle: number) => (word: Word) =>
      this.occurrences.add(this.#count(word, document, 1), document, 2 * position++ + isTitle)
    if (title !== null) this.analyzer.forEachWord(title, visit(1))
    const titleLength = position
    position = 0
    this.analyzer.forEachWord(text, visit(0))
    this.#lengths.push(titleWeight * titleLength + position)
  }

  remove({ row, title, text }: IndexedRow) {
    const visit = (word: Word) => this.#count(word, -row, -1)
    if (title !== null) this.analyzer.forEachWord(title, visit)
    this.analyzer.forEachWord(text, visit)
  }

  docValues(rows: readonly IndexedRow[]): DocValues {
    const docValues = newDocValues(rows.length)
    rows.forEach(({ row, seq }, i) => {
      docValues.rows[i] = row
      docValues.seqs[i] = seq
      docValues.lengths[i] = this.lengths[i]!
    })
    return docValues
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
    const sorted = this.occurrences.byTerm(this.terms.names.length)
    const postings = new PostingsWriter()
    const positions = new ByteWriter()
    for (const term of this.terms.sorted()) {
      postings.clear()
      positions.length = 0
      sorted.write(term, postings, positions)
      const key = toBytes(this.terms.names[term]!)
      writer.term(key, this.terms.changes[term]!, postings, withPositions ? positions.view() : noPositions)
    }
  }

  /** Counts a word once for each document that has it. Returns the number of its term. */
  #count(word: Word, document: number, change: number): number {
    const number = this.numbers.get(word) ?? this.#number(word)
    const term = this.#termOf[number]!
    if (this.terms.isNew(term, document)) this.terms.changes[term]! += change
    if (this.#words.isNew(number, document)) this.#words.changes[number]! += change
    return term
  }

  #number(word: Word): number {
    const number = this.#words.intern(word.word)
    this.#termOf[number] = this.terms.intern(word.term)
    this.numbers.set(word, number)
    return number
  }
}

/**
 * Inverts documents of a typeahead index. Stores only which documents have a word or a short prefix. Term frequencies, positions
 * and document frequencies are left out, since the scores of typeahead do not need them.
 */
class PrefixInverter extends Inverter {
  readonly #prefixes: number[][] = []
  readonly #wordCounts: number[] = []

  override add({ text }: IndexedRow, document: number) {
    let length = 0
    this.analyzer.forEachWord(text, (word) => {
      length++
      const number = this.numbers.get(word) ?? this.#number(word)
      if (!this.#put(number, document)) return
      for (const prefix of this.#prefixes[number]!) this.#put(prefix, document)
    })
    this.#wordCounts.push(length)
  }

  override remove() {}

  override write(writer: SegmentWriter) {
    this.writeTerms(writer, false)
  }

  protected override get lengths(): readonly number[] {
    return this.#wordCounts
  }

  #number(word: Word): number {
    const number = this.terms.intern(word.term)
    this.#prefixes[number] ??= prefixesOf(word.term).map((prefix) => this.terms.intern(prefix))
    this.numbers.set(word, number)
    return number
  }

  #put(term: number, document: number): boolean {
    const isNew = this.terms.isNew(term, document)
    if (isNew) this.occurrences.add(term, document, 0)
    return isNew
  }
}

/**
 * Maximum length of prefixes that have their own postings, since many words share them. A longer prefix is searched by a scan of
 * the dictionary.
 */
const maxIndexedPrefix = 3

/** Whether a prefix is short enough to have its own postings. */
export const hasPrefixPostings = (characters: string) =>
  [...characters.slice(0, 2 * maxIndexedPrefix + 1)].length <= maxIndexedPrefix

/** Returns the prefixes of a word with one, two and three characters, each with the marker. */
function prefixesOf(term: string): string[] {
  const characters = Array.from(term.slice(0, 2 * maxIndexedPrefix)).slice(0, maxIndexedPrefix)
  return characters.map((_, i) => prefixMarker + characters.slice(0, i + 1).join(''))
}
