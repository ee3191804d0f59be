/** So many accepted in so many minutes. */
export interface Rule {
  minutes: number
  rate: number
}

/** What was accepted, each by its moment in microseconds, or by the next one that is free: one page, in order. */
export const createLog = 'CREATE TABLE IF NOT EXISTS accepted (id INTEGER PRIMARY KEY)'

const minute = 60_000
const microseconds = 1_000

/** The milliseconds that the longest of the rules looks back. */
export const longestOf = (rules: Rule[]) => Math.max(0, ...rules.map(({ minutes }) => minutes)) * minute

/** Milliseconds until every rule has a place free; 0 where they have. */
export const waitFor = (sql: SqlStorage, rules: Rule[], now: number): number =>
  Math.max(0, ...rules.map((rule) => waitForOne(sql, rule, now)))

/** A rule is full while the one that was accepted `rate` places ago is in its window. */
function waitForOne(sql: SqlStorage, { minutes, rate }: Rule, now: number): number {
  const id = nth(sql, rate)
  return id === undefined ? 0 : Math.floor(id / microseconds) + minutes * minute - now
}

/** The id of the nth to be accepted before now. */
const nth = (sql: SqlStorage, n: number): number | undefined =>
  sql.exec<{ id: number }>('SELECT id FROM accepted ORDER BY id DESC LIMIT 1 OFFSET ?', n - 1).toArray()[0]?.id

/** Writes one down, and gives its id, which is above `last`. A clock that went back stands still meanwhile. */
export function accept(sql: SqlStorage, now: number, last: number): number {
  const id = Math.max(now * microseconds, last + 1, (nth(sql, 1) ?? 0) + 1)
  sql.exec('INSERT INTO accepted VALUES (?)', id)
  return id
}

export function forget(sql: SqlStorage, id: number): void {
  sql.exec('DELETE FROM accepted WHERE id = ?', id)
}

/** Removes what was accepted a while ago, at `horizon` milliseconds or before. */
export function prune(sql: SqlStorage, horizon: number): void {
  sql.exec('DELETE FROM accepted WHERE id < ?', (horizon + 1) * microseconds)
}
