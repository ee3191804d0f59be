// All segments of an index: those on disk, and the memtable, which has the documents written since the last flush.
import type { Analyzer } from '#search/analysis/types'
import { DiskSegments } from './disk-segments.ts'
import type { NewIndexedDocument, Variant } from './indexed-document.ts'
import { type IndexedRow, invert } from './inverter.ts'
import { type Segment, writeInMemory } from './segment.ts'
import { mergeSegments } from './segment-merge.ts'

/** Maximum number of words in the memtable. A larger one would make a restart slow, since its documents are then analyzed again. */
const maxMemtableWords = 50_000

/** Combines disk segments and memtable. The table `documents` is the log from which the memtable is rebuilt after a restart. */
export class SegmentStore {
  documentCount = 0
  /** Number of words of all documents. In full text, a word of a title counts `titleWeight` times. */
  totalLength = 0
  /** Cache of prefix expansions, cleared by each write. */
  readonly expansions = new Map<string, readonly [string, number][]>()
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  readonly #analyzer: Analyzer
  readonly #variant: Variant
  readonly #disk: DiskSegments
  #memtable: Segment[] = []
  /** Number of words in the memtable, those of deleted documents included. */
  #memtableWords = 0
  /** Number of deleted documents whose text is still in the table `documents`. */
  #unsettledCount = 0

  constructor(storage: DurableObjectStorage, analyzer: Analyzer, variant: Variant) {
    this.#storage = storage
    this.#sql = storage.sql
    this.#analyzer = analyzer
    this.#variant = variant
    this.#disk = new DiskSegments(storage.sql)
    const removed = this.#rows('code IS NULL')
    for (const { row } of removed) this.#disk.markDeleted(row)
    this.#unsettledCount = removed.length
    for (const segment of this.#disk.segments) this.#count(segment)
    this.#add(this.#rows(`row > ${this.#flushed} AND code IS NOT NULL`), removed)
  }

  get segments(): Segment[] {
    return [...this.#disk.segments, ...this.#memtable]
  }

  /** Writes documents, and replaces those with the same codes. */
  write(documents: readonly NewIndexedDocument[]) {
    const old = this.#deleteRows(documents.map(({ code }) => code))
    const seqs = new Map(old.map(({ code, seq }) => [code, seq]))
    const rows = documents.map((document) =>
      this.#insert({ ...document, seq: seqs.get(document.code) ?? document.seq }),
    )
    this.#add(rows, old)
    if (this.#memtableWords > maxMemtableWords) this.#flush()
  }

  /** Deletes a document. Returns whether it existed. */
  remove(code: string): boolean {
    const old = this.#deleteRows([code])
    this.#add([], old)
    if (this.#memtableWords > maxMemtableWords) this.#flush()
    return old.length > 0
  }

  /**
   * Returns the current row of a document that was replaced since a search found it at `row`; undefined if it was deleted. A
   * replacement keeps the sequence number and has a higher row, so the search runs backwards.
   */
  currentRow(row: number, seq: number): number | undefined {
    for (const { docValues, deleted } of this.segments.reverse()) {
      for (let document = docValues.rows.length - 1; document >= 0; document--) {
        if (docValues.rows[document]! <= row) return undefined
        if (docValues.seqs[document] === seq && !deleted[document]) return docValues.rows[document]
      }
    }
    return undefined
  }

  /**
   * Whether the table `documents` still has the text of deleted documents. The next flush needs the text to subtract its words from
   * the document frequencies, and then deletes it.
   */
  get isUnsettled(): boolean {
    return this.#unsettledCount > 0
  }

  /** Deletes the text of deleted documents, by a flush. */
  settle() {
    if (this.isUnsettled) this.#flush()
  }

  /**
   * Deletes documents by code. Documents in the memtable leave the table at once. For documents on disk the row stays, without its
   * code, until a flush has subtracted its words from the document frequencies.
   */
  #deleteRows(codes: readonly string[]): (IndexedRow & { code: string })[] {
    const codeList = JSON.stringify(codes)
    const query = `SELECT row, code, seq, title, text FROM documents WHERE code IN (SELECT value FROM json_each(?))`
    const old = [...this.#sql.exec<StoredRow>(query, codeList)]
    if (old.length === 0) return []
    const rows = JSON.stringify(old.map(({ row }) => row))
    const inRows = 'row IN (SELECT value FROM json_each(?))'
    const flushed = this.#flushed
    this.#sql.exec(`DELETE FROM documents WHERE ${inRows} AND row > ?`, rows, flushed)
    this.#sql.exec(`UPDATE documents SET code = NULL WHERE ${inRows}`, rows)
    this.#unsettledCount += old.filter(({ row }) => row <= flushed).length
    for (const { row } of old) this.#markDeleted(row)
    return old
  }

  #insert({ code, seq, title, text }: NewIndexedDocument): IndexedRow {
    const statement = 'INSERT INTO documents (code, seq, title, text) VALUES (?, ?, ?, ?) RETURNING row'
    const { row } = this.#sql.exec<{ row: number }>(statement, code, seq, title, text).one()
    return { row, seq, title, text }
  }

  /** Inverts written and deleted documents into a new segment of the memtable. */
  #add(rows: readonly IndexedRow[], removed: readonly IndexedRow[]) {
    if (rows.length === 0 && removed.length === 0) return
    this.expansions.clear()
    const segment = invert(this.#analyzer, this.#variant, rows, removed)
    this.#count(segment)
    this.#memtable.push(segment)
    for (const [i, row] of rows.entries()) this.#memtableWords += memtableWeight(row, segment.docValues.lengths[i])
    for (const row of removed) this.#memtableWords += memtableWeight(row)
    if (this.#memtableWords > maxMemtableWords) return
    // Logarithmic merging: four segments of about the same size become one. A document is thus merged O(log n) times, and the
    // memtable has few segments.
    while (this.#memtable.length >= 4 && this.#memtable.at(-4)!.size <= 4 * this.#memtable.at(-1)!.size) {
      const last = this.#memtable.splice(-4)
      this.#memtable.push(writeInMemory((writer) => mergeSegments(last, writer)))
    }
  }

  /** Adds the documents of a segment that are not deleted to the totals. */
  #count({ docValues, deleted }: Segment) {
    for (let document = 0; document < deleted.length; document++) {
      if (deleted[document]) continue
      this.documentCount++
      this.totalLength += docValues.lengths[document]!
    }
  }

  #markDeleted(row: number) {
    for (const segment of this.segments) {
      const length = segment.markDeleted(row)
      if (length === undefined) continue
      this.documentCount--
      this.totalLength -= length
      return
    }
  }

  /** Writes the memtable to disk as one segment, and deletes the text of deleted documents. */
  #flush() {
    this.#sql.exec('INSERT INTO dead (row) SELECT row FROM documents WHERE code IS NULL')
    this.#sql.exec('DELETE FROM documents WHERE code IS NULL')
    const { last } = this.#sql.exec<{ last: number | null }>('SELECT max(row) AS last FROM documents').one()
    this.#storage.kv.put('flushed', Math.max(last ?? 0, this.#flushed))
    this.#disk.add(this.#memtable)
    this.#memtable = []
    this.#memtableWords = 0
    this.#unsettledCount = 0
  }

  /** The last row whose words are in a segment on disk. Later rows are in the memtable. */
  get #flushed(): number {
    return this.#storage.kv.get<number>('flushed') ?? 0
  }

  #rows(condition: string): IndexedRow[] {
    return [
      ...this.#sql.exec<StoredRow>(`SELECT row, code, seq, title, text FROM documents WHERE ${condition} ORDER BY row`),
    ]
  }
}

/**
 * Returns how much a document adds to the memtable's limit: its number of words, or 1/6 of its characters if that is more, since a
 * restart reads all of its text.
 */
const memtableWeight = ({ title, text }: IndexedRow, words = 0) =>
  1 + Math.max(words, (text.length + (title?.length ?? 0)) / 6)

type StoredRow = { row: number; code: string; seq: number; title: string | null; text: string }
