/** So many accepted in so many minutes. */
export interface Rule {
  minutes: number
  rate: number
}

/**
 * What was accepted, in the order of both columns: `at` in milliseconds never goes back. Ids are never given out twice, so
 * that one that is given back late is no other's.
 */
export const createLog = 'CREATE TABLE accepted (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL)'

const minute = 60_000

/** The milliseconds that the longest of the rules looks back. */
export const longestOf = (rules: Rule[]) => Math.max(0, ...rules.map(({ minutes }) => minutes)) * minute

/** Milliseconds until every rule has a place free; 0 where they have. */
export const waitFor = (sql: SqlStorage, rules: Rule[], now: number): number =>
  Math.max(0, ...rules.map((rule) => waitForOne(sql, rule, now)))

/** A rule is full while the one that was accepted `rate` places ago is in its window. */
function waitForOne(sql: SqlStorage, { minutes, rate }: Rule, now: number): number {
  const [row] = sql.exec<{ at: number }>('SELECT at FROM accepted ORDER BY id DESC LIMIT 1 OFFSET ?', rate - 1)
  return row ? row.at + minutes * minute - now : 0
}

/** Writes one down, and gives its id. A clock that went back stands still meanwhile. */
export function accept(sql: SqlStorage, now: number): number {
  const at = Math.max(now, newest(sql) ?? now)
  return sql.exec<{ id: number }>('INSERT INTO accepted (at) VALUES (?) RETURNING id', at).one().id
}

export function forget(sql: SqlStorage, id: number): void {
  sql.exec('DELETE FROM accepted WHERE id = ?', id)
}

/** When the last one was accepted. */
export const newest = (sql: SqlStorage): number | undefined =>
  sql.exec<{ at: number }>('SELECT at FROM accepted ORDER BY id DESC LIMIT 1').toArray()[0]?.at

const prunedAtOnce = 100

/** Removes what no rule looks at any more, some of it each time. */
export function prune(sql: SqlStorage, horizon: number): void {
  const oldest = 'SELECT id FROM accepted ORDER BY id LIMIT ?'
  sql.exec(`DELETE FROM accepted WHERE id IN (${oldest}) AND at <= ?`, prunedAtOnce, horizon)
}
