// The segments of an index on disk (SQLite): loads them when the index is opened, adds new ones, and merges them.
import { nextMerge } from './merge-policy.ts'
import { files, PageStore } from './page-store.ts'
import { onDisk, type Segment, SegmentWriter } from './segment.ts'
import { mergeSegments } from './segment-merge.ts'

/** A segment, and its id in the database. */
interface StoredSegment {
  id: number
  segment: Segment
}

/** Manages the segments on disk, which are in the order of their rows. merge-policy.ts chooses the segments to merge. */
export class DiskSegments {
  readonly #sql: SqlStorage
  readonly #pages: PageStore
  #stored: StoredSegment[]

  constructor(sql: SqlStorage) {
    this.#sql = sql
    this.#pages = new PageStore(sql)
    const rows = sql.exec<{ id: number; postings: number }>('SELECT id, postings FROM segments ORDER BY place')
    this.#stored = [...rows].map(({ id, postings }) => ({ id, segment: onDisk(this.#pages, id, postings) }))
    const deleted = sql.exec<{ row: number }>('SELECT row FROM dead')
    for (const { row } of deleted) this.markDeleted(row)
  }

  get segments(): Segment[] {
    return this.#stored.map(({ segment }) => segment)
  }

  /** Marks the document of a row as deleted in memory. The caller stores the deletion (tombstone) in the database. */
  markDeleted(row: number) {
    for (const { segment } of this.#stored) if (segment.markDeleted(row) !== undefined) return
  }

  /**
   * Writes several segments as one segment, then merges segments if that is due. The rows must follow those of all stored segments.
   * Call this within a transaction, so that a crash leaves no partial segment.
   */
  add(segments: readonly Segment[]) {
    this.#stored.push(this.#write(segments, this.#stored.length))
    for (;;) {
      const range = nextMerge(this.#stored.map(({ segment }) => segment))
      if (!range) return
      const [from, to] = range
      const old = this.#stored.slice(from, to)
      const written = this.#write(
        old.map(({ segment }) => segment),
        from,
      )
      for (const { id, segment } of old) this.#remove(id, segment)
      this.#stored.splice(from, old.length, written)
    }
  }

  #write(segments: readonly Segment[], place: number): StoredSegment {
    const { id } = this.#sql
      .exec<{ id: number }>('INSERT INTO segments (place, postings) VALUES (0, 0) RETURNING id')
      .one()
    let page = 0
    const writer = new SegmentWriter((bytes) => this.#pages.write(id, files.postings, page++, bytes))
    const contents = writer.end(mergeSegments(segments, writer))
    for (const file of ['docValues', 'terms', 'words'] as const) this.#pages.writeFile(id, files[file], contents[file])
    this.#sql.exec('UPDATE segments SET place = ?, postings = ? WHERE id = ?', place, writer.length, id)
    return { id, segment: onDisk(this.#pages, id, writer.length) }
  }

  #remove(id: number, { docValues, deleted }: Segment) {
    this.#sql.exec('DELETE FROM segments WHERE id = ?', id)
    this.#pages.remove(id)
    const rows = Array.from(docValues.rows).filter((_, document) => deleted[document])
    this.#sql.exec('DELETE FROM dead WHERE row IN (SELECT value FROM json_each(?))', JSON.stringify(rows))
  }
}
