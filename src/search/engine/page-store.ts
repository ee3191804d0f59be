// Stores the files of segments as pages in SQLite, with an LRU cache in memory.
import { LruCache } from '#core/lru-cache'

/** The files of a segment, by their numbers in the table `pages`. Stored indexes use these numbers, so they must never change. */
export const files = { docValues: 0, terms: 1, words: 2, postings: 3 } as const

/** Size of a page in bytes. A short list of postings fits into one page; a row of SQLite holds up to 2 MB. */
export const pageSize = 32_768

const maxCachedPages = 256

export const createPagesTable = `CREATE TABLE pages (
  segment INTEGER NOT NULL, file INTEGER NOT NULL, page INTEGER NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (segment, file, page)
)`

/** Reads and writes pages. The cache holds up to 8 MB of pages. */
export class PageStore {
  readonly #sql: SqlStorage
  readonly #cache = new LruCache<Uint8Array>(maxCachedPages)

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  write(segment: number, file: number, page: number, bytes: Uint8Array<ArrayBuffer>) {
    // SQLite would store the whole buffer behind a view, so the bytes of a view are copied first.
    const exact = bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer
    this.#sql.exec('INSERT INTO pages (segment, file, page, bytes) VALUES (?, ?, ?, ?)', segment, file, page, exact)
  }

  writeFile(segment: number, file: number, bytes: Uint8Array<ArrayBuffer>) {
    for (let at = 0, page = 0; at < bytes.length; at += pageSize, page++) {
      this.write(segment, file, page, bytes.subarray(at, at + pageSize))
    }
  }

  /** Reads a whole file. Bypasses the cache, since the segment keeps the file in memory. */
  readFile(segment: number, file: number): Uint8Array {
    const rows = this.#sql.exec<{ bytes: ArrayBuffer }>(
      'SELECT bytes FROM pages WHERE segment = ? AND file = ? ORDER BY page',
      segment,
      file,
    )
    return join([...rows].map(({ bytes }) => new Uint8Array(bytes)))
  }

  /** Reads a part of a file. The result may be a view of a cached page, so read it before the next call, and do not change it. */
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
    this.#cache.deletePrefix(`${segment}/`)
  }

  #page(segment: number, file: number, page: number): Uint8Array {
    const key = `${segment}/${file}/${page}`
    const known = this.#cache.get(key)
    if (known) return known
    const bytes = this.#load(segment, file, page)
    this.#cache.set(key, bytes)
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
