// Operations on all tasks that match a filter: retries, cancels or deletes them in bounded steps, and continues after a crash.
import { Failure } from '#core/failure'
import type { OnWaiting } from './callbacks.ts'
import { failure } from './errors.ts'
import { deleteTasks } from './retention.ts'
import type { TaskRow } from './tables.ts'
import { cancelTask, retryTask } from './task-actions.ts'
import { countRows } from './task-list.ts'
import { lastOf, pathOf, positionOf, readStep, type ScanFilter, type ScanPosition } from './task-scan.ts'
import { findTask } from './tasks.ts'

/**
 * Table of the operations. `scan` is the number of the scan in progress and `position` the place that it has reached, as JSON: both
 * are stored in the transaction of the changes, so that an operation continues after a crash.
 */
export const createOperations = `
CREATE TABLE operations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The public name, which is the same in all shards of a worker.
  name TEXT NOT NULL UNIQUE,
  action TEXT NOT NULL,
  filter TEXT NOT NULL,
  state TEXT NOT NULL,
  scan INTEGER NOT NULL DEFAULT 0,
  position TEXT,
  -- Tasks with a greater id were created later and do not match.
  last_task INTEGER NOT NULL,
  matched INTEGER NOT NULL DEFAULT 0,
  done INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE INDEX operations_running ON operations (id) WHERE state = 'running';
`

export type BulkAction = 'retry' | 'cancel' | 'delete'

/** A row of `operations`. */
export type OperationRow = {
  id: number
  name: string
  action: BulkAction
  filter: string
  state: 'running' | 'done' | 'failed'
  scan: number
  position: string | null
  last_task: number
  matched: number
  done: number
  created_at: number
  ended_at: number | null
}

type State = TaskRow['state']

/**
 * The states that an action applies to, in the order in which they are scanned. A waiting task may begin to run, or a running one may
 * wait for a retry, while the scan is in the other state: canceling scans the waiting tasks twice.
 */
const statesOf: Record<BulkAction, readonly State[]> = {
  retry: ['failed', 'lost', 'canceled'],
  cancel: ['waiting', 'running', 'waiting'],
  delete: ['done', 'failed', 'lost', 'canceled'],
}

/** Whether an action applies to tasks in a state. */
export const appliesTo = (action: BulkAction, state: State) => statesOf[action].includes(state)

/** Tasks that one step changes. Between two steps the object handles other work. */
const tasksPerStep = 100

/** Limits of the operations of a worker: those that run, and those that are stored after they have ended. */
const maxRunning = 100
const maxStored = 1_000

interface NewOperation {
  name: string
  action: BulkAction
  filter: ScanFilter
}

/** Stores an operation, which `stepOperation` runs. 409 if the worker has too many that have not ended. */
export function addOperation(sql: SqlStorage, { name, action, filter }: NewOperation, now: number): void {
  const { n } = sql.exec<{ n: number }>(`SELECT count(*) AS n FROM operations WHERE state = 'running'`).one()
  if (n >= maxRunning) throw failure('too_many_operations')
  sql.exec(`DELETE FROM operations WHERE state <> 'running' AND id <= (SELECT max(id) FROM operations) - ${maxStored}`)
  sql.exec(
    `INSERT INTO operations (name, action, filter, state, last_task, created_at)
     VALUES (?, ?, ?, 'running', (SELECT coalesce(max(id), 0) FROM tasks), ?)`,
    ...[name, action, JSON.stringify(filter), now],
  )
}

/** Finds an operation by its name. */
export const findOperation = (sql: SqlStorage, name: string): OperationRow | undefined =>
  sql.exec<OperationRow>('SELECT * FROM operations WHERE name = ?', name).toArray()[0]

/** The oldest operation that has not ended. */
export const nextOperation = (sql: SqlStorage): OperationRow | undefined =>
  sql
    .exec<OperationRow>(
      `SELECT * FROM operations INDEXED BY operations_running WHERE state = 'running' ORDER BY id LIMIT 1`,
    )
    .toArray()[0]

/** Number of tasks that match. */
export async function countMatches(sql: SqlStorage, action: BulkAction, filter: ScanFilter): Promise<number> {
  let total = 0
  for (const scan of new Set(scansOf(action, filter).map(({ state }) => state)))
    total += await countRows(sql, { ...filter, state: scan })
  return total
}

/** One scan per state, since there is an index for each state. */
const scansOf = (action: BulkAction, filter: ScanFilter): ScanFilter[] =>
  statesOf[action]
    .filter((state) => filter.state === undefined || filter.state === state)
    .map((state) => ({ ...filter, state }))

/** Marks an operation as ended by an error. */
export function failOperation(sql: SqlStorage, id: number, now: number): void {
  sql.exec(`UPDATE operations SET state = 'failed', ended_at = ? WHERE id = ?`, now, id)
}

/** Changes the next tasks of an operation and stores how far it has come. `onWaiting` is called for tasks that wait again. */
export function stepOperation(sql: SqlStorage, operation: OperationRow, now: number, onWaiting: OnWaiting): void {
  const { id, action, filter, scan, position, last_task } = operation
  const scans = scansOf(action, JSON.parse(filter) as ScanFilter)
  const path = pathOf(scans[scan]!)
  const after = position === null ? path.order.start : (JSON.parse(position) as ScanPosition)
  const found = readStep(sql, path, after, { limit: tasksPerStep })
  const next = found.length === tasksPerStep ? positionOf(found.at(-1)!) : lastOf(sql, path, after)
  const ids = found.map(({ id }) => id).filter((id) => id <= last_task)
  const done = change(sql, action, ids, now, onWaiting)
  const isDone = next === undefined && scan + 1 === scans.length
  sql.exec(
    `UPDATE operations SET scan = ?, position = ?, matched = matched + ?, done = done + ?, state = ?, ended_at = ? WHERE id = ?`,
    ...[next ? scan : scan + 1, next ? JSON.stringify(next) : null, ids.length, done],
    ...[isDone ? 'done' : 'running', isDone ? now : null, id],
  )
}

/** Changes tasks and returns the number of those that were changed. */
function change(sql: SqlStorage, action: BulkAction, ids: number[], now: number, onWaiting: OnWaiting): number {
  if (action === 'delete') return deleteTasks(sql, ids)
  return ids.filter((id) => {
    try {
      if (action === 'cancel') cancelTask(sql, id, now, onWaiting)
      else {
        retryTask(sql, id, now, onWaiting)
        onWaiting(findTask(sql, id))
      }
      return true
    } catch (error) {
      // The task has secrets, which were deleted when it ended.
      if (Failure.is(error)) return false
      throw error
    }
  }).length
}
