import { LruCache } from '#core/lru-cache'

/** A segment's bytes, in the order of their numbers; they never change. */
export const files = { facts: 0, terms: 1, words: 2, postings: 3 } as const

/** Bytes of a page: what is read at once for a short list of postings, and far below the 2 MB of a row. */
export const pageSize = 32_768

const remembered = 256

export const createPages = `CREATE TABLE pages (
  segment INTEGER NOT NULL, file INTEGER NOT NULL, page INTEGER NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (segment, file, page)
)`

/** The pages of all segments of an index in its SQLite, those read last in memory: 8 MB at the most. */
export class Pages {
  readonly #sql: SqlStorage
  readonly #recent = new LruCache<Uint8Array>(remembered)

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  write(segment: number, file: number, page: number, bytes: Uint8Array<ArrayBuffer>) {
    // A view would be written with all that it is a view of.
    const own = bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer
    this.#sql.exec('INSERT INTO pages (segment, file, page, bytes) VALUES (?, ?, ?, ?)', segment, file, page, own)
  }

  writeFile(segment: number, file: number, bytes: Uint8Array<ArrayBuffer>) {
    for (let at = 0, page = 0; at < bytes.length; at += pageSize, page++) {
      this.write(segment, file, page, bytes.subarray(at, at + pageSize))
    }
  }

  /** A whole file, which is not kept in memory here. */
  readFile(segment: number, file: number): Uint8Array {
    const rows = this.#sql.exec<{ bytes: ArrayBuffer }>(
      'SELECT bytes FROM pages WHERE segment = ? AND file = ? ORDER BY page',
      segment,
      file,
    )
    return join([...rows].map(({ bytes }) => new Uint8Array(bytes)))
  }

  /** A part of a file, to be read at once: it may be a view of what is kept. */
  read(segment: number, file: number, offset: number, length: number): Uint8Array {
    const first = Math.floor(offset / pageSize)
    const last = Math.floor((offset + length - 1) / pageSize)
    const start = offset - first * pageSize
    if (first >= last) return this.#page(segment, file, first).subarray(start, start + length)
    const pages = Array.from({ length: last - first + 1 }, (_, i) => this.#page(segment, file, first + i))
    return join(pages).subarray(start, start + length)
  }

  remove(segment: number) {
    this.#sql.exec('DELETE FROM pages WHERE segment = ?', segment)
    this.#recent.deletePrefix(`${segment}/`)
  }

  #page(segment: number, file: number, page: number): Uint8Array {
    const key = `${segment}/${file}/${page}`
    const known = this.#recent.get(key)
    if (known) return known
    const bytes = this.#load(segment, file, page)
    this.#recent.set(key, bytes)
    return bytes
  }

  #load(segment: number, file: number, page: number): Uint8Array {
    const query = 'SELECT bytes FROM pages WHERE segment = ? AND file = ? AND page = ?'
    return new Uint8Array(this.#sql.exec<{ bytes: ArrayBuffer }>(query, segment, file, page).one().bytes)
  }
}

export function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
