// Callbacks: when a task ends, another task reports the result to `on_success` or `on_failure`.
import { labelsOf } from './labels.ts'
import type { QueueShard } from './settings.ts'
import { lightColumns, type TaskRow } from './tables.ts'
import { formatTaskId } from './task-id.ts'
import { insertTask } from './tasks.ts'

/** Migration that adds the URLs of the callbacks, and a table with the place of the backlog, which the ids in callbacks contain. */
export const addCallbacks = `
ALTER TABLE tasks ADD COLUMN on_success TEXT;
ALTER TABLE tasks ADD COLUMN on_failure TEXT;
CREATE TABLE place (worker TEXT NOT NULL, shard INTEGER NOT NULL);
`

/** Stores the place of this backlog once. */
export function setPlace(sql: SqlStorage, { worker, shard }: QueueShard): void {
  sql.exec('INSERT INTO place SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM place)', worker, shard)
}

/** Called for a row that waits: one that is new, or is to be retried. */
export type OnWaiting = (row: TaskRow) => void

const callbackRetries = 10
const callbackRetryDelayMs = 10_000
const callbackTimeoutMs = 30_000

/** Length of a flow key. */
const maxKeyLength = 255

/**
 * Adds the callback of a task or fraction that has just ended, in the transaction that ends it: so there is exactly one for each end,
 * also after a crash. Its flow key is the host of the URL, so that a host that does not answer delays only its callbacks.
 */
export function addCallback(sql: SqlStorage, id: number, now: number, onWaiting?: OnWaiting): void {
  const ended = `SELECT ${lightColumns} FROM tasks WHERE id = ? AND (on_success IS NOT NULL OR on_failure IS NOT NULL)`
  const [row] = sql.exec<TaskRow>(ended, id)
  const url = row?.state === 'done' ? row.on_success : row?.on_failure
  if (!row || !url) return
  const callback = insertTask(
    sql,
    {
      ...{ kind: 'task', method: 'POST', url, json: reportOf(sql, row), headers: null, body: null },
      ...{ sealed: null, is_sealed: 0, priority: null, labels: null, on_success: null, on_failure: null },
      ...{ due_at: now, expires_at: null, sleep: 0, request_id: row.request_id },
      ...{ timeout: callbackTimeoutMs, retries: callbackRetries, retry_delay: callbackRetryDelayMs },
      key: `callback ${new URL(url).host}`.slice(0, maxKeyLength),
    },
    now,
  )
  onWaiting?.(callback)
}

/** The JSON that a callback sends. */
function reportOf(sql: SqlStorage, row: TaskRow): string {
  const [place = { worker: '', shard: 0 }] = sql.exec<QueueShard & Record<string, SqlStorageValue>>(
    'SELECT worker, shard FROM place',
  )
  const { id, key, state, attempts, status, error } = row
  const task = { id: formatTaskId({ ...place, number: id }), worker: place.worker, key, labels: labelsOf(row) }
  return JSON.stringify({ task: { ...task, state, attempts, status, error } })
}
