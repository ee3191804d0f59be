import type { Analysis } from '#search/analysis/analysis'
import type { NewIndexedDocument, Variant } from './documents.ts'
import { invert, type NumberedDocument } from './invert.ts'
import { merge } from './merge.ts'
import { type Segment, writeInMemory } from './segment.ts'
import { SegmentStore } from './shelf.ts'

/** Words of documents whose segments are in memory only: what is read and taken apart again after a start. */
const fresh = 50_000

/** All segments of an index: those on disk, and those of what was written since, of which the table of documents is the log. */
export class Library {
  /** How many documents there are, and how many words in them. */
  documents = 0
  length = 0
  /** What words begin as was asked for lately, until something is written. */
  readonly expansions = new Map<string, readonly [string, number][]>()
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  readonly #analysis: Analysis
  readonly #variant: Variant
  readonly #shelf: SegmentStore
  #fresh: Segment[] = []
  /** Words in fresh segments, those of removed documents among them. */
  #freshWords = 0
  /** Documents that are removed, of which the text is still there. */
  #removed = 0

  constructor(storage: DurableObjectStorage, analysis: Analysis, variant: Variant) {
    this.#storage = storage
    this.#sql = storage.sql
    this.#analysis = analysis
    this.#variant = variant
    this.#shelf = new SegmentStore(storage.sql)
    const removed = this.#rows('code IS NULL')
    for (const { row } of removed) this.#shelf.kill(row)
    this.#removed = removed.length
    for (const segment of this.#shelf.segments) this.#count(segment)
    this.#add(this.#rows(`row > ${this.#flushed} AND code IS NOT NULL`), removed)
  }

  get segments(): Segment[] {
    return [...this.#shelf.segments, ...this.#fresh]
  }

  put(documents: readonly NewIndexedDocument[]) {
    const old = this.#take(documents.map(({ code }) => code))
    const seqs = new Map(old.map(({ code, seq }) => [code, seq]))
    const rows = documents.map((document) =>
      this.#insert({ ...document, seq: seqs.get(document.code) ?? document.seq }),
    )
    this.#add(rows, old)
    if (this.#freshWords > fresh) this.#flush()
  }

  remove(code: string): boolean {
    const old = this.#take([code])
    this.#add([], old)
    if (this.#freshWords > fresh) this.#flush()
    return old.length > 0
  }

  /** The row of a document that has been replaced since it had another one: it keeps its seq, and the rows of new ones ascend. */
  rowAfter(row: number, seq: number): number | undefined {
    for (const { facts, dead } of this.segments.reverse()) {
      for (let document = facts.rows.length - 1; document >= 0; document--) {
        if (facts.rows[document]! <= row) return undefined
        if (facts.seqs[document] === seq && !dead[document]) return facts.rows[document]
      }
    }
    return undefined
  }

  /** Whether text of removed documents is kept until it has been counted against the others. */
  get isUnsettled(): boolean {
    return this.#removed > 0
  }

  /** Forgets the text of removed documents. */
  settle() {
    if (this.isUnsettled) this.#flush()
  }

  /** Takes documents out of the table: at once those that no segment on disk has, the others when they have been counted against. */
  #take(codes: readonly string[]): (NumberedDocument & { code: string })[] {
    const wanted = JSON.stringify(codes)
    const query = `SELECT row, code, seq, title, text FROM documents WHERE code IN (SELECT value FROM json_each(?))`
    const old = [...this.#sql.exec<Coded>(query, wanted)]
    if (old.length === 0) return []
    const rows = JSON.stringify(old.map(({ row }) => row))
    const these = 'row IN (SELECT value FROM json_each(?))'
    const flushed = this.#flushed
    this.#sql.exec(`DELETE FROM documents WHERE ${these} AND row > ?`, rows, flushed)
    this.#sql.exec(`UPDATE documents SET code = NULL WHERE ${these}`, rows)
    this.#removed += old.filter(({ row }) => row <= flushed).length
    for (const { row } of old) this.#kill(row)
    return old
  }

  #insert({ code, seq, title, text }: NewIndexedDocument): NumberedDocument {
    const statement = 'INSERT INTO documents (code, seq, title, text) VALUES (?, ?, ?, ?) RETURNING row'
    const { row } = this.#sql.exec<{ row: number }>(statement, code, seq, title, text).one()
    return { row, seq, title, text }
  }

  #add(rows: readonly NumberedDocument[], removed: readonly NumberedDocument[]) {
    if (rows.length === 0 && removed.length === 0) return
    this.expansions.clear()
    const segment = invert(this.#analysis, this.#variant, rows, removed)
    this.#count(segment)
    this.#fresh.push(segment)
    for (const [i, row] of rows.entries()) this.#freshWords += weightOf(row, segment.facts.lengths[i])
    for (const row of removed) this.#freshWords += weightOf(row)
    if (this.#freshWords > fresh) return
    // As digits of base four carry: each document is merged as often as its number has digits.
    while (this.#fresh.length >= 4 && this.#fresh.at(-4)!.size <= 4 * this.#fresh.at(-1)!.size) {
      const last = this.#fresh.splice(-4)
      this.#fresh.push(writeInMemory((writer) => merge(last, writer)))
    }
  }

  #count({ facts, dead }: Segment) {
    for (let document = 0; document < dead.length; document++) {
      if (dead[document]) continue
      this.documents++
      this.length += facts.lengths[document]!
    }
  }

  #kill(row: number) {
    for (const segment of this.segments) {
      const length = segment.kill(row)
      if (length === undefined) continue
      this.documents--
      this.length -= length
      return
    }
  }

  /** Moves what is fresh to disk. */
  #flush() {
    this.#sql.exec('INSERT INTO dead (row) SELECT row FROM documents WHERE code IS NULL')
    this.#sql.exec('DELETE FROM documents WHERE code IS NULL')
    const { last } = this.#sql.exec<{ last: number | null }>('SELECT max(row) AS last FROM documents').one()
    this.#storage.kv.put('flushed', Math.max(last ?? 0, this.#flushed))
    this.#shelf.add(this.#fresh)
    this.#fresh = []
    this.#freshWords = 0
    this.#removed = 0
  }

  /** The last row of which the words are on disk. */
  get #flushed(): number {
    return this.#storage.kv.get<number>('flushed') ?? 0
  }

  #rows(condition: string): NumberedDocument[] {
    return [
      ...this.#sql.exec<Coded>(`SELECT row, code, seq, title, text FROM documents WHERE ${condition} ORDER BY row`),
    ]
  }
}

/** The words of a document, though as many as its text is long at the least: all of that is read after a start, words or not. */
const weightOf = ({ title, text }: NumberedDocument, words = 0) =>
  1 + Math.max(words, (text.length + (title?.length ?? 0)) / 6)

type Coded = { row: number; code: string; seq: number; title: string | null; text: string }
