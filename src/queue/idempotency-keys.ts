// Idempotency keys of the calls that create tasks, stored in the backlog with the task, so that a repeated call creates no second one.

/** Table of idempotency keys, with the number of the task that each created and its time in milliseconds since 1970. */
export const createKeys = `
CREATE TABLE keys (key TEXT PRIMARY KEY, task INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX keys_at ON keys (at);
`

/** Returns the number of the task that was created under a key; without one, creates it with `add`. Runs in one transaction. */
export function addOnce(sql: SqlStorage, key: string | undefined, now: number, add: () => number): number {
  if (key === undefined) return add()
  const [known] = sql.exec<{ task: number }>('SELECT task FROM keys WHERE key = ?', key)
  if (known) return known.task
  const task = add()
  sql.exec('INSERT INTO keys (key, task, at) VALUES (?, ?, ?)', key, task, now)
  return task
}

/** Age at which a key is deleted. A call may be repeated for 24 hours; the extra hour covers a repeat that takes long. */
const keptMs = 25 * 3_600_000

/** Age at which a key is deleted from a full database. A later repeat still gets the first reply, from the idempotency record. */
const keptWhenFullMs = 3_600_000

/** Keys deleted per step, and steps per run. Together ten times the keys that a worker can receive in the minute between two runs. */
const keysPerStep = 5_000
const stepsPerRun = 200

/** Deletes old idempotency keys in steps. Between two steps the object handles other work. */
export async function deleteOldKeys(sql: SqlStorage, now: number, maxBytes = Number.POSITIVE_INFINITY): Promise<void> {
  for (let step = 0; step < stepsPerRun; step++) {
    const before = now - (sql.databaseSize > maxBytes ? keptWhenFullMs : keptMs)
    const oldest = 'SELECT key FROM keys INDEXED BY keys_at WHERE at < ? ORDER BY at LIMIT ?'
    const deleted = sql.exec(`DELETE FROM keys WHERE key IN (${oldest}) RETURNING at`, before, keysPerStep)
    if (deleted.toArray().length < keysPerStep) return
    await scheduler.wait(1)
  }
}

/** When the oldest key is to be deleted, in milliseconds since 1970; infinite if there is none. */
export function nextKeyDeletion(sql: SqlStorage): number {
  const { at } = sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM keys').one()
  return at === null ? Number.POSITIVE_INFINITY : at + keptMs
}
