/** Under which key something was put in line, so that a repeat of what was cut off after that puts in nothing more. */
export const createKeys = `
CREATE TABLE keys (key TEXT PRIMARY KEY, task INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX keys_at ON keys (at);
`

/** The number of what was put in line under a key, which `add` does where nothing was; all of it is one step. */
export function addOnce(sql: SqlStorage, key: string | undefined, now: number, add: () => number): number {
  if (key === undefined) return add()
  const [before] = sql.exec<{ task: number }>('SELECT task FROM keys WHERE key = ?', key)
  if (before) return before.task
  const task = add()
  sql.exec('INSERT INTO keys (key, task, at) VALUES (?, ?, ?)', key, task, now)
  return task
}

/** For as long as first replies are kept, and as their requests may take besides. */
const kept = 25 * 3_600_000

const perStep = 10_000

/** Forgets keys that nobody will come with any more; so many at a time. */
export function forgetKeys(sql: SqlStorage, now: number): void {
  sql.exec('DELETE FROM keys WHERE key IN (SELECT key FROM keys WHERE at < ? LIMIT ?)', now - kept, perStep)
}
