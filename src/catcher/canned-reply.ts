// The canned reply of a space: stores it, matches requests by method and path, and counts its uses.
import type { CannedAnswer } from './answer.ts'
import type { CannedReply, NewReply } from './contract.ts'
import { matches } from './request-filter.ts'

export const createReplies = `
  CREATE TABLE reply (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    set_at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    headers TEXT NOT NULL,
    body TEXT,
    json TEXT,
    delay INTEGER NOT NULL,
    times INTEGER,
    remaining INTEGER,
    method TEXT,
    path TEXT
  )`

interface Stored extends Record<string, SqlStorageValue> {
  set_at: number
  status: number
  headers: string
  body: string | null
  json: string | null
  delay: number
  times: number | null
  remaining: number | null
  method: string | null
  path: string | null
}

/** Sets the canned reply of a space and replaces the previous one. */
export function setReply(sql: SqlStorage, reply: NewReply, set_at: number) {
  const { status, headers, body = null, json = null, delay, times = null, method = null, path = null } = reply
  sql.exec(
    `INSERT OR REPLACE INTO reply (id, set_at, status, headers, body, json, delay, times, remaining, method, path)
     VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[set_at, status, JSON.stringify(headers), body, json, delay, times, times, method, path],
  )
}

export function findReply(sql: SqlStorage): CannedReply | undefined {
  const row = storedReply(sql)
  if (!row) return undefined
  const { set_at: _, headers, body, json, ...rest } = row
  return {
    ...rest,
    headers: headersIn(headers),
    ...(body !== null && { body }),
    ...(json !== null && { json }),
  }
}

export const removeReply = (sql: SqlStorage) => void sql.exec('DELETE FROM reply')

/** Returns the canned reply for a request and counts it; undefined if the request gets the default reply. */
export function takeReply(sql: SqlStorage, request: { method: string; path: string }): CannedAnswer | undefined {
  const row = storedReply(sql)
  if (!row || row.remaining === 0 || !matches(row, request)) return undefined
  if (row.remaining !== null) sql.exec('UPDATE reply SET remaining = remaining - 1')
  const { status, headers, body, json, delay } = row
  const type = json === null ? {} : { 'content-type': 'application/json; charset=utf-8' }
  return { status, headers: { ...type, ...lowercase(headersIn(headers)) }, body: json ?? body, delay }
}

function storedReply(sql: SqlStorage): Stored | undefined {
  const [row] = sql.exec<Stored>(
    'SELECT set_at, status, headers, body, json, delay, times, remaining, method, path FROM reply',
  )
  return row
}

/** Time at which the reply was set, in milliseconds since 1970. */
export const replySetAt = (sql: SqlStorage) => storedReply(sql)?.set_at

const headersIn = (text: string) => JSON.parse(text) as Record<string, string>

const lowercase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
