// SQLite tables of a backlog, and the types of their rows.

/**
 * Tables of tasks and schedules. Tasks, fractions, and those pieces that run, wait for a retry or have failed are rows of one table,
 * since they are leased in one order of due times. The indexes are partial, since each index entry is a page to write, and the pages
 * are most of the cost of a request.
 */
export const createTables = `
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  method TEXT NOT NULL,
  url TEXT NOT NULL,
  headers TEXT,
  json TEXT,
  body TEXT,
  sealed BLOB,
  -- Whether the task had secrets; they are deleted when it ends.
  is_sealed INTEGER NOT NULL,
  timeout INTEGER NOT NULL,
  sleep INTEGER NOT NULL,
  retries INTEGER NOT NULL,
  retry_delay INTEGER NOT NULL,
  -- tries: attempts since the task was created or last retried by a caller, for the retry limit. attempts: all attempts.
  tries INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  status INTEGER,
  error TEXT,
  schedule TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  -- Whether the task was canceled while its request was running.
  is_canceled INTEGER NOT NULL DEFAULT 0,
  -- For a piece: its fraction and its part of the range.
  parent INTEGER,
  min INTEGER,
  max INTEGER,
  gap INTEGER,
  -- For a fraction: the first item of the next piece, and the number of ended pieces by state.
  next INTEGER,
  done INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  lost INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX tasks_waiting ON tasks (due_at, id) WHERE state = 'waiting';
CREATE INDEX tasks_running ON tasks (id) WHERE state = 'running';
CREATE INDEX tasks_ended ON tasks (state, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX tasks_pieces ON tasks (parent, state) WHERE parent IS NOT NULL;
CREATE INDEX tasks_fractions ON tasks (id) WHERE kind = 'fraction';
CREATE INDEX tasks_schedule ON tasks (schedule, id) WHERE schedule IS NOT NULL;
CREATE TABLE schedules (
  name TEXT PRIMARY KEY,
  cron TEXT NOT NULL,
  timezone TEXT NOT NULL,
  next_at INTEGER,
  task TEXT NOT NULL,
  sealed BLOB
) WITHOUT ROWID;
CREATE INDEX schedules_next ON schedules (next_at) WHERE next_at IS NOT NULL;
`

/**
 * Migration that adds the time after which a task that still waits fails as `expired`, in milliseconds since 1970. NULL if it
 * does not expire.
 */
export const addExpiry = `
ALTER TABLE tasks ADD COLUMN expires_at INTEGER;
CREATE INDEX tasks_expiring ON tasks (expires_at) WHERE state = 'waiting' AND expires_at IS NOT NULL;
`

/** Migration that adds the `X-Request-Id` of the call that created the task. The requests of the task repeat it. */
export const addRequestId = 'ALTER TABLE tasks ADD COLUMN request_id TEXT'

/** All columns except those of the payload, which may have megabytes and are read only for a lease. */
export const lightColumns = `id, kind, state, due_at, expires_at, method, url, is_sealed, timeout, sleep, retries, retry_delay, tries, attempts,
  status, error, schedule, key, priority, labels, on_success, on_failure, created_at, started_at, ended_at, is_canceled, parent, min, max, gap, next, done, failed, lost, request_id`

/** The headers and the body of a task's request. */
export type Payload = {
  headers: string | null
  json: string | null
  /** A text, or bytes. */
  body: string | ArrayBuffer | null
  sealed: ArrayBuffer | null
}

/** A row of `tasks` without its payload. Times are milliseconds since 1970, durations milliseconds. */
export type TaskRow = {
  id: number
  kind: 'task' | 'fraction' | 'piece'
  state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
  due_at: number
  expires_at: number | null
  method: string
  url: string
  is_sealed: number
  timeout: number
  sleep: number
  retries: number
  retry_delay: number
  tries: number
  attempts: number
  status: number | null
  error: string | null
  schedule: string | null
  /** The flow key: tasks with the same key share a concurrency limit. */
  key: string | null
  /** 0 to 9, 9 is the most urgent; null for the default of 5. */
  priority: number | null
  /** A JSON array of texts. */
  labels: string | null
  /** URLs of the callbacks. */
  on_success: string | null
  on_failure: string | null
  created_at: number
  started_at: number | null
  ended_at: number | null
  is_canceled: number
  parent: number | null
  min: number | null
  max: number | null
  gap: number | null
  next: number | null
  done: number
  failed: number
  lost: number
  request_id: string | null
}
