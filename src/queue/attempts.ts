// The last attempts of each task. The newest one is in the task's row; the ones before it are in a table.
import { lightColumns, type TaskRow } from './tables.ts'

/**
 * Migration that adds the response of a task's last attempt, and a table of the attempts before it, so that a task which succeeds at
 * once needs no further row. The failed attempts of a fraction's pieces are stored under the fraction. A trigger deletes the
 * attempts of a deleted task.
 */
export const addAttempts = `
ALTER TABLE tasks ADD COLUMN response TEXT;
CREATE TABLE attempts (
  task INTEGER NOT NULL,
  -- The number of the attempt; for a fraction, a sequence over its pieces.
  n INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  response TEXT,
  min INTEGER,
  max INTEGER,
  PRIMARY KEY (task, n)
) WITHOUT ROWID;
CREATE TRIGGER tasks_forgotten AFTER DELETE ON tasks WHEN OLD.attempts > 1 OR OLD.kind = 'fraction' BEGIN
  DELETE FROM attempts WHERE task = OLD.id;
END;
`

/** The stored part of a response, as JSON: the milliseconds until its end, its headers, and the begin of its body, not masked yet. */
export type StoredResponse = [durationMs: number, headers: Record<string, string> | null, body: string | null]

/** Bytes of a response's body that are stored: more than are shown, so that a card number at the end is masked as a whole. */
export const storedBodyBytes = 1_280

/** A row of `attempts`, without the task. */
export type AttemptRow = {
  n: number
  attempt: number
  started_at: number
  status: number | null
  error: string | null
  response: string | null
  min: number | null
  max: number | null
}

/**
 * SQL for the new value of `response`. If the task was canceled by an erasure while its request was running, its response is not
 * stored, since it may mention the person.
 */
export const setResponse = 'response = CASE WHEN is_canceled = 1 AND is_sealed = 1 THEN NULL ELSE ? END'

/** Number of attempts that are stored per task. */
const maxAttempts = 20

type Attempted = Pick<TaskRow, 'attempts' | 'started_at'> & Pick<AttemptRow, 'status' | 'error' | 'response'>

/** Stores an attempt of a task in the table, since the row of the task gets the next one. Drops all but the newest. */
export function storeAttempt(
  sql: SqlStorage,
  id: number,
  { attempts, started_at, status, error, response }: Attempted,
) {
  if (attempts === 0 || started_at === null) return
  sql.exec(
    'INSERT OR IGNORE INTO attempts (task, n, attempt, started_at, status, error, response) VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6)',
    ...[id, attempts, started_at, status, error, response],
  )
  if (attempts > maxAttempts) sql.exec('DELETE FROM attempts WHERE task = ? AND n <= ?', id, attempts - maxAttempts)
}

/** Stores a failed attempt of a piece under its fraction. Drops all but the newest of the fraction. */
export function storePieceAttempt(
  sql: SqlStorage,
  fraction: number,
  { attempts, started_at, min, max }: Pick<TaskRow, 'attempts' | 'started_at' | 'min' | 'max'>,
  { status, error, response }: Pick<AttemptRow, 'status' | 'error' | 'response'>,
) {
  const { n } = sql
    .exec<{ n: number }>(
      `INSERT INTO attempts SELECT ?1, coalesce((SELECT max(n) FROM attempts WHERE task = ?1), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
       RETURNING n`,
      ...[fraction, attempts, started_at ?? 0, status, error, response, min, max],
    )
    .one()
  if (n > maxAttempts) sql.exec('DELETE FROM attempts WHERE task = ? AND n <= ?', fraction, n - maxAttempts)
}

/** The newest attempts of a task in their order, or the failed attempts of a fraction's pieces. A running attempt has no outcome yet. */
export function listAttempts(sql: SqlStorage, number: number): AttemptRow[] {
  const stored = sql
    .exec<AttemptRow>(
      'SELECT n, attempt, started_at, status, error, response, min, max FROM attempts WHERE task = ? ORDER BY n',
      number,
    )
    .toArray()
  const last = lastAttempt(sql, number)
  return last && stored.every(({ n }) => n < last.n) ? [...stored, last].slice(-maxAttempts) : stored
}

/** The attempt that is in the row of a task. */
function lastAttempt(sql: SqlStorage, number: number): AttemptRow | undefined {
  const [row] = sql.exec<TaskRow & Pick<AttemptRow, 'response'>>(
    `SELECT ${lightColumns}, response FROM tasks WHERE id = ? AND kind = 'task' AND attempts > 0 AND started_at IS NOT NULL`,
    number,
  )
  if (!row) return undefined
  const { attempts, started_at, status, error, response } = row
  const outcome = row.state === 'running' ? { status: null, error: null, response: null } : { status, error, response }
  return { n: attempts, attempt: attempts, started_at: started_at!, ...outcome, min: null, max: null }
}

/** Copies the attempt in a row to the table. Call it before a caller retries the task. */
export function keepLastAttempt(sql: SqlStorage, number: number) {
  const last = lastAttempt(sql, number)
  if (last) storeAttempt(sql, number, { ...last, attempts: last.n })
}
