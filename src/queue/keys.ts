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

/** For as long as first replies are kept, and as their requests may take. */
const keptMs = 25 * 3_600_000

/** In a full worker: a repeat after this time is answered from the first reply, which is stored elsewhere. */
const keptWhenFullMs = 3_600_000

/** Keys deleted in one step, and steps in one run: ten times what a worker can take in until the next run. */
const keysPerStep = 5_000
const stepsPerRun = 200

/** Deletes idempotency keys that are not repeated any more, in steps, between which others have their turn. */
export async function forgetKeys(sql: SqlStorage, now: number, maxBytes = Number.POSITIVE_INFINITY): Promise<void> {
  for (let step = 0; step < stepsPerRun; step++) {
    const before = now - (sql.databaseSize > maxBytes ? keptWhenFullMs : keptMs)
    const oldest = 'SELECT key FROM keys INDEXED BY keys_at WHERE at < ? ORDER BY at LIMIT ?'
    const deleted = sql.exec(`DELETE FROM keys WHERE key IN (${oldest}) RETURNING at`, before, keysPerStep)
    if (deleted.toArray().length < keysPerStep) return
    await scheduler.wait(1)
  }
}
