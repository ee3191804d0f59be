// Sliding-window log in the SQLite storage of the durable object `Limiter`: one row per accepted send of the limiter's key.

/** A rule: at most `rate` sends within `minutes`. */
export interface Rule {
  minutes: number
  rate: number
}

/**
 * One row per accepted send. Its id is the time in microseconds, or the next free number, so that the rows are sorted by time
 * without another index.
 */
export const createLog = 'CREATE TABLE IF NOT EXISTS accepted (id INTEGER PRIMARY KEY)'

const minuteMs = 60_000
const microsecondsPerMs = 1_000

/** Length of the longest window of the rules, in milliseconds. Older sends have no effect. */
export const maxWindowMs = (rules: Rule[]) => Math.max(0, ...rules.map(({ minutes }) => minutes)) * minuteMs

/** Milliseconds until every rule has a free slot; 0 if every rule has one now. */
export const waitForRules = (sql: SqlStorage, rules: Rule[], now: number): number =>
  Math.max(0, ...rules.map((rule) => waitForOne(sql, rule, now)))

/**
 * Milliseconds until one rule has a free slot. The rule has none while the send `rate` positions back is still inside its
 * window.
 */
function waitForOne(sql: SqlStorage, { minutes, rate }: Rule, now: number): number {
  const id = nth(sql, rate)
  return id === undefined ? 0 : Math.floor(id / microsecondsPerMs) + minutes * minuteMs - now
}

/** The id of the nth newest send. Undefined if there are fewer sends. */
const nth = (sql: SqlStorage, n: number): number | undefined =>
  sql.exec<{ id: number }>('SELECT id FROM accepted ORDER BY id DESC LIMIT 1 OFFSET ?', n - 1).toArray()[0]?.id

/**
 * Stores an accepted send and returns its id. The id is greater than `lastId` and all stored ids, even if the clock was set
 * back.
 */
export function accept(sql: SqlStorage, now: number, lastId: number): number {
  const id = Math.max(now * microsecondsPerMs, lastId + 1, (nth(sql, 1) ?? 0) + 1)
  sql.exec('INSERT INTO accepted VALUES (?)', id)
  return id
}

export function remove(sql: SqlStorage, id: number): void {
  sql.exec('DELETE FROM accepted WHERE id = ?', id)
}

/**
 * Deletes the sends that were accepted at or before `horizon`, in milliseconds since the epoch: they are outside every window.
 */
export function prune(sql: SqlStorage, horizon: number): void {
  sql.exec('DELETE FROM accepted WHERE id < ?', (horizon + 1) * microsecondsPerMs)
}
