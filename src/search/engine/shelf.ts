import { merge } from './merge.ts'
import { nextMerge } from './merge-policy.ts'
import { files, Pages } from './pages.ts'
import { onDisk, type Segment, SegmentWriter } from './segment.ts'

/** A segment on disk, and its number there. */
interface Kept {
  id: number
  segment: Segment
}

/** The segments on disk, in the order of their rows. */
export class SegmentStore {
  readonly #sql: SqlStorage
  readonly #pages: Pages
  #kept: Kept[]

  constructor(sql: SqlStorage) {
    this.#sql = sql
    this.#pages = new Pages(sql)
    const rows = sql.exec<{ id: number; postings: number }>('SELECT id, postings FROM segments ORDER BY place')
    this.#kept = [...rows].map(({ id, postings }) => ({ id, segment: onDisk(this.#pages, id, postings) }))
    const dead = sql.exec<{ row: number }>('SELECT row FROM dead')
    for (const { row } of dead) this.kill(row)
  }

  get segments(): Segment[] {
    return this.#kept.map(({ segment }) => segment)
  }

  /** Marks the document of a row as dead; on disk that is for the caller to note. */
  kill(row: number) {
    for (const { segment } of this.#kept) if (segment.kill(row) !== undefined) return
  }

  /** Writes segments of higher rows than all before as one, and merges where there are too many. Within a transaction. */
  add(segments: readonly Segment[]) {
    this.#kept.push(this.#write(segments, this.#kept.length))
    for (;;) {
      const range = nextMerge(this.#kept.map(({ segment }) => segment))
      if (!range) return
      const [from, to] = range
      const old = this.#kept.slice(from, to)
      const written = this.#write(
        old.map(({ segment }) => segment),
        from,
      )
      for (const { id, segment } of old) this.#remove(id, segment)
      this.#kept.splice(from, old.length, written)
    }
  }

  #write(segments: readonly Segment[], place: number): Kept {
    const { id } = this.#sql
      .exec<{ id: number }>('INSERT INTO segments (place, postings) VALUES (0, 0) RETURNING id')
      .one()
    let page = 0
    const writer = new SegmentWriter((bytes) => this.#pages.write(id, files.postings, page++, bytes))
    const contents = writer.end(merge(segments, writer))
    for (const file of ['facts', 'terms', 'words'] as const) this.#pages.writeFile(id, files[file], contents[file])
    this.#sql.exec('UPDATE segments SET place = ?, postings = ? WHERE id = ?', place, writer.length, id)
    return { id, segment: onDisk(this.#pages, id, writer.length) }
  }

  #remove(id: number, { facts, dead }: Segment) {
    this.#sql.exec('DELETE FROM segments WHERE id = ?', id)
    this.#pages.remove(id)
    const rows = Array.from(facts.rows).filter((_, document) => dead[document])
    this.#sql.exec('DELETE FROM dead WHERE row IN (SELECT value FROM json_each(?))', JSON.stringify(rows))
  }
}
