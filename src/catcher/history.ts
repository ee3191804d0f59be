// The caught requests of a space in SQLite: adds, filters and pages them, and deletes the oldest above the limits.
import type { ForwardedResponse } from './contract.ts'
import type { ReceivedRequest } from './received-request.ts'
import { matches, type RequestFilter } from './request-filter.ts'

/** A stored request. */
export interface CapturedRow extends ReceivedRequest {
  id: number
  /** Milliseconds since 1970. */
  created_at: number
  /** The response to a forwarded request without its body, as JSON; null if there is none. */
  response: string | null
  response_body: Uint8Array<ArrayBuffer> | null
}

/** The response to a forwarded request. */
export interface RecordedResponse extends Omit<ForwardedResponse, 'body' | 'body_encoding' | 'body_truncated'> {
  /** The beginning of the body. */
  body: Uint8Array<ArrayBuffer>
}

/** A request without its large fields, for the stream. */
export type RequestSummary = Pick<CapturedRow, 'id' | 'created_at' | 'method' | 'path' | 'query' | 'body_size'>

export interface HistoryPage {
  rows: CapturedRow[]
  /** Number of all matches, before and after the page too. */
  nb_results: number
  /** Whether more matches follow the page. */
  has_more: boolean
}

/** Limits of a space: number of requests, and their total size in bytes. The oldest are deleted first. */
export const maxRequests = 1_000
export const maxBytesPerSpace = 64_000_000

/** Bytes after which a page of a list ends early, so that a reply of large requests does not exceed the memory of a Worker. */
export const maxPageBytes = 4_000_000

/** Requests beyond `maxRequests` are deleted in batches of this size, which saves writes. Until then no query returns them. */
const trimBatch = 100

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

/** Adds the responses to forwarded requests. */
export const addResponses = `
  ALTER TABLE requests ADD COLUMN response TEXT;
  ALTER TABLE requests ADD COLUMN response_body BLOB`

/** Size of a recorded response in bytes, as the limits of its space and the quota count it. */
export const sizeOfResponse = ({ body, headers }: RecordedResponse) => body.length + JSON.stringify(headers).length

/** Size of a caught request in bytes, as the limits of its space and the quota count it. */
export const sizeOf = ({ body, headers, path, query }: ReceivedRequest) =>
  body.length + headers.length + path.length + query.length

type Stored = Omit<CapturedRow, 'body' | 'response_body'> & {
  body: ArrayBuffer
  response_body: ArrayBuffer | null
} & Record<string, SqlStorageValue>

const rowOf = ({ body, response_body, ...row }: Stored): CapturedRow => ({
  ...row,
  body: new Uint8Array(body),
  response_body: response_body && new Uint8Array(response_body),
})

const columns = 'id, created_at, method, path, query, body_size, host, port, headers'

/** The requests of one space. All operations are synchronous, so that none sees a half-done change of another. */
export class History {
  readonly #sql: SqlStorage
  #newest: number
  #bytes: number

  constructor(sql: SqlStorage) {
    this.#sql = sql
    const totals = sql.exec<{ newest: number; bytes: number }>(
      'SELECT coalesce(max(id), 0) AS newest, coalesce(sum(size), 0) AS bytes FROM requests',
    )
    const { newest, bytes } = totals.one()
    this.#newest = newest
    this.#bytes = bytes
  }

  add(received: ReceivedRequest, created_at: number): CapturedRow {
    const { method, path, query, body_size, host, port, headers, body } = received
    const size = sizeOf(received)
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
    return { ...received, id, created_at, response: null, response_body: null }
  }

  /** Stores the response to a forwarded request. No effect if the request was deleted meanwhile. */
  addResponse(id: number, response: RecordedResponse) {
    const { body, ...rest } = response
    const size = sizeOfResponse(response)
    const { rowsWritten } = this.#sql.exec(
      'UPDATE requests SET response = ?, response_body = ?, size = size + ? WHERE id = ?',
      ...[JSON.stringify(rest), body, size, id],
    )
    if (rowsWritten > 0) this.#bytes += size
    this.#trim()
  }

  /** Total size of the stored requests. */
  get bytes() {
    return this.#bytes
  }

  /** The newest request that matches. */
  last(filter: RequestFilter): CapturedRow | undefined {
    const [found] = this.#matching(filter)
    return found && this.find(found.id)
  }

  find(id: number): CapturedRow | undefined {
    if (id <= this.#newest - maxRequests) return undefined
    const [row] = this.#sql.exec<Stored>(
      `SELECT ${columns}, body, response, response_body FROM requests WHERE id = ?`,
      id,
    )
    return row && rowOf(row)
  }

  /** A page of matching requests, the newest first. Ends early if the requests are large. */
  list(filter: RequestFilter, limit: number, offset: number): HistoryPage {
    const found = [...this.#matching(filter)]
    const rows: CapturedRow[] = []
    let bytes = 0
    for (const { id, size } of found.slice(offset, offset + limit)) {
      bytes += size
      if (rows.length > 0 && bytes > maxPageBytes) break
      rows.push(this.find(id)!)
    }
    return { rows, nb_results: found.length, has_more: offset + rows.length < found.length }
  }

  /** Summaries of the requests after an id, the oldest first, for a stream that resumes. */
  after(id: number): Iterable<RequestSummary> {
    return this.#sql.exec<RequestSummary & Record<string, SqlStorageValue>>(
      'SELECT id, created_at, method, path, query, body_size FROM requests WHERE id > ? ORDER BY id',
      Math.max(id, this.#newest - maxRequests),
    )
  }

  /** Up to `limit` requests after an id, the oldest first. */
  *from(id: number, limit: number): Generator<CapturedRow> {
    const rows = this.#sql.exec<Stored>(
      `SELECT ${columns}, body, response, response_body FROM requests WHERE id > ? ORDER BY id LIMIT ?`,
      ...[id, limit],
    )
    for (const row of rows) yield rowOf(row)
  }

  /** All requests without their responses, the newest first. Without `withBody` their bodies are empty, and are not read. */
  *all({ withBody }: { withBody: boolean }): Generator<CapturedRow> {
    const rows = this.#sql.exec<Stored>(
      `SELECT ${columns}, ${withBody ? 'body' : "x'' AS body"}, NULL AS response, NULL AS response_body
       FROM requests WHERE id > ? ORDER BY id DESC`,
      this.#newest - maxRequests,
    )
    for (const row of rows) yield rowOf(row)
  }

  /** Deletes requests by id. */
  delete(ids: number[]) {
    for (const id of ids) this.#remove('WHERE id = ?', id)
  }

  /** Time of the newest request in milliseconds since 1970; 0 if there is none. */
  newestAt(): number {
    return this.#sql.exec<{ at: number }>('SELECT coalesce(max(created_at), 0) AS at FROM requests').one().at
  }

  /** Time of the oldest request in milliseconds since 1970; undefined if there is none. */
  oldestAt(): number | undefined {
    const { at } = this.#sql.exec<{ at: number | null }>('SELECT min(created_at) AS at FROM requests').one()
    return at ?? undefined
  }

  /** Deletes requests received at or before a time, in milliseconds since 1970. */
  removeBefore(at: number) {
    this.#remove('WHERE created_at <= ?', at)
  }

  clear() {
    this.#sql.exec('DELETE FROM requests')
    this.#bytes = 0
  }

  *#matching(filter: RequestFilter) {
    const rows = this.#sql.exec<{ id: number; size: number; method: string; path: string }>(
      'SELECT id, size, method, path FROM requests WHERE id > ? ORDER BY id DESC',
      this.#newest - maxRequests,
    )
    for (const row of rows) if (matches(filter, row)) yield row
  }

  #trim() {
    if (this.#newest % trimBatch === 0) this.#remove('WHERE id <= ?', this.#newest - maxRequests)
    while (this.#bytes > maxBytesPerSpace) this.#remove('WHERE id = (SELECT min(id) FROM requests)')
  }

  #remove(where: string, ...bindings: number[]) {
    const removed = this.#sql.exec<{ size: number }>(`DELETE FROM requests ${where} RETURNING size`, ...bindings)
    for (const { size } of removed) this.#bytes -= size
  }
}
