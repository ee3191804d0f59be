import { matches, type RequestFilter } from './match.ts'
import type { Taken } from './taken.ts'

/** A request as it is kept. */
export interface CapturedRow extends Taken {
  id: number
  /** Milliseconds since 1970. */
  created_at: number
}

/** A request without what may be large. */
export type Outline = Pick<CapturedRow, 'id' | 'created_at' | 'method' | 'path' | 'query' | 'body_size'>

export interface HistoryPage {
  rows: CapturedRow[]
  /** All that match, also before and after the page. */
  nb_results: number
  /** Whether there are more after the page. */
  has_more: boolean
}

/** How many requests are kept, and of how many bytes together: the oldest go first. */
export const most = 1_000
export const mostBytes = 64_000_000

/** The bytes after which a page ends early. */
export const pageBytes = 4_000_000

/** So many more may be there than are shown, so that they are removed together. */
const slack = 100

export const createHistory = `
  CREATE TABLE requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    created_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    query TEXT NOT NULL,
    body_size INTEGER,
    host TEXT NOT NULL,
    port INTEGER NOT NULL,
    headers TEXT NOT NULL,
    body BLOB NOT NULL
  )`

/** What a request counts as, in bytes. */
export const sizeOf = ({ body, headers, path, query }: Taken) =>
  body.length + headers.length + path.length + query.length

type Stored = Omit<CapturedRow, 'body'> & { body: ArrayBuffer } & Record<string, SqlStorageValue>

/** The requests of one space. Every step is synchronous, so that none sees another's half. */
export class History {
  readonly #sql: SqlStorage
  #newest: number
  #bytes: number

  constructor(sql: SqlStorage) {
    this.#sql = sql
    const held = sql.exec<{ newest: number; bytes: number }>(
      'SELECT coalesce(max(id), 0) AS newest, coalesce(sum(size), 0) AS bytes FROM requests',
    )
    const { newest, bytes } = held.one()
    this.#newest = newest
    this.#bytes = bytes
  }

  add(taken: Taken, created_at: number): CapturedRow {
    const { method, path, query, body_size, host, port, headers, body } = taken
    const size = sizeOf(taken)
    const { id } = this.#sql
      .exec<{ id: number }>(
        `INSERT INTO requests (created_at, size, method, path, query, body_size, host, port, headers, body)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        ...[created_at, size, method, path, query, body_size, host, port, headers, body],
      )
      .one()
    this.#newest = id
    this.#bytes += size
    this.#trim()
    return { ...taken, id, created_at }
  }

  /** What it holds. */
  get bytes() {
    return this.#bytes
  }

  /** The newest that matches. */
  last(wanted: RequestFilter): CapturedRow | undefined {
    const [found] = this.#matching(wanted)
    return found && this.find(found.id)
  }

  find(id: number): CapturedRow | undefined {
    if (id <= this.#newest - most) return undefined
    const [row] = this.#sql.exec<Stored>(
      `SELECT id, created_at, method, path, query, body_size, host, port, headers, body FROM requests WHERE id = ?`,
      id,
    )
    return row && { ...row, body: new Uint8Array(row.body) }
  }

  /** The newest first. A page ends early where the requests of it are large. */
  list(wanted: RequestFilter, limit: number, offset: number): HistoryPage {
    const found = [...this.#matching(wanted)]
    const rows: CapturedRow[] = []
    let bytes = 0
    for (const { id, size } of found.slice(offset, offset + limit)) {
      bytes += size
      if (rows.length > 0 && bytes > pageBytes) break
      rows.push(this.find(id)!)
    }
    return { rows, nb_results: found.length, has_more: offset + rows.length < found.length }
  }

  /** What came after one, the oldest first. */
  after(id: number): Iterable<Outline> {
    return this.#sql.exec<Outline & Record<string, SqlStorageValue>>(
      'SELECT id, created_at, method, path, query, body_size FROM requests WHERE id > ? ORDER BY id',
      Math.max(id, this.#newest - most),
    )
  }

  /** When the newest came, in milliseconds since 1970; 0 for none. */
  newestAt(): number {
    return this.#sql.exec<{ at: number }>('SELECT coalesce(max(created_at), 0) AS at FROM requests').one().at
  }

  clear() {
    this.#sql.exec('DELETE FROM requests')
    this.#bytes = 0
  }

  *#matching(wanted: RequestFilter) {
    const rows = this.#sql.exec<{ id: number; size: number; method: string; path: string }>(
      'SELECT id, size, method, path FROM requests WHERE id > ? ORDER BY id DESC',
      this.#newest - most,
    )
    for (const row of rows) if (matches(wanted, row)) yield row
  }

  #trim() {
    if (this.#newest % slack === 0) this.#remove('WHERE id <= ?', this.#newest - most)
    while (this.#bytes > mostBytes) this.#remove('WHERE id = (SELECT min(id) FROM requests)')
  }

  #remove(where: string, ...bindings: number[]) {
    const removed = this.#sql.exec<{ size: number }>(`DELETE FROM requests ${where} RETURNING size`, ...bindings)
    for (const { size } of removed) this.#bytes -= size
  }
}
