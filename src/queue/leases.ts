// Leases: a task's request is recorded as running before it is sent, and settled after it has ended.

import { setResponse, storeAttempt, storePieceAttempt } from './attempts.ts'
import { backoff } from './backoff.ts'
import { addCallback, type OnWaiting } from './callbacks.ts'
import type { TaskState } from './contract.ts'
import { countMoved } from './counts.ts'
import { isExpired } from './expiry.ts'
import { endFraction, nextPiece } from './fractions.ts'
import { holdLost } from './holds.ts'
import { lightColumns, type Payload, type TaskRow } from './tables.ts'
import type { RequestOutcome, TaskRequest } from './task-request.ts'

/** The permission to send one request once, with the data of the request. Stored before the request is sent. */
export interface Lease extends Omit<TaskRequest, 'id'> {
  /** Number of the row: of a task or a piece. */
  task: number
  /** Number of the fraction if the row is a piece. */
  parent: number | null
  /** The flow key that the request counts against. */
  key: string | null
  /** Milliseconds that the daemon sleeps after the request. */
  sleep: number
  /** Milliseconds since 1970. */
  started_at: number
}

/** Leases a due row: a task, or the next piece of a fraction. Undefined if the fraction has no piece now. */
export function leaseRow(sql: SqlStorage, row: TaskRow, now: number): Lease | undefined {
  if (row.kind === 'fraction') {
    const piece = nextPiece(sql, row, now)
    return piece && leaseOf(sql, { ...piece, started_at: now }, row)
  }
  markRunning(sql, row.id, now)
  countMoved(sql, row.kind, ['waiting', 'running'])
  const running = { ...row, attempts: row.attempts + 1, started_at: now }
  return leaseOf(sql, running, row.parent === null ? running : findRow(sql, row.parent)!)
}

const setStarted = 'tries = tries + 1, attempts = attempts + 1, started_at = ?'
const clearPayload = 'headers = NULL, json = NULL, body = NULL, sealed = NULL, error = NULL'
const setDone = `state = 'done', status = ?, ${setResponse}, ended_at = ?, ${clearPayload}`

/** Marks a row as running since `now`. */
export function markRunning(sql: SqlStorage, id: number, now: number): void {
  sql.exec(`UPDATE tasks SET state = 'running', ${setStarted} WHERE id = ?`, now, id)
}

/** A task that has succeeded according to the journal, while its row still says `waiting`. */
export interface Done {
  task: number
  status: number
  response: string | null
  started_at: number
  ended_at: number
}

/** Marks a row that still says `waiting` as done, with the attempt, start, end and status of the request that only the journal had. */
export function markDone(sql: SqlStorage, { task, status, response, started_at, ended_at }: Done): void {
  sql.exec(`UPDATE tasks SET ${setStarted}, ${setDone} WHERE id = ?`, started_at, status, response, ended_at, task)
}

/** The lease of a row. `owner` is the row that stores the URL, headers and body: the task itself, or the fraction of a piece. */
export function leaseOf(sql: SqlStorage, row: TaskRow & { started_at: number }, owner: TaskRow): Lease {
  const { id, parent, key, attempts, started_at, min, max } = row
  const { method, url, timeout, sleep, gap, request_id } = owner
  const payload = sql.exec<Payload>('SELECT headers, json, body, sealed FROM tasks WHERE id = ?', owner.id).one()
  const piece = parent === null ? null : { min: min!, max: max!, gap: gap! }
  return {
    task: id,
    parent,
    key,
    attempt: attempts,
    started_at,
    method,
    url,
    ...payload,
    timeout,
    sleep,
    piece,
    request_id,
  }
}

const findRow = (sql: SqlStorage, id: number): TaskRow | undefined =>
  sql.exec<TaskRow>(`SELECT ${lightColumns} FROM tasks WHERE id = ?`, id).toArray()[0]

/** Whether a request has succeeded: with a 2xx response. */
export const isDone = ({ status }: RequestOutcome) => status !== null && status >= 200 && status < 300

/** Records the outcome of a request and returns the new state of its task. Calls `onWaiting` if the task is to be retried. */
export function settle(
  sql: SqlStorage,
  { task, parent }: Pick<Lease, 'task' | 'parent'>,
  outcome: RequestOutcome,
  now: number,
  onWaiting?: OnWaiting,
): TaskState | undefined {
  if (!isDone(outcome)) {
    const row = findRow(sql, task)
    // The row is missing if a canceled fraction was deleted with its pieces while one of them was running: nothing to settle.
    return row && settleFailure(sql, row, outcome, now, onWaiting)
  }
  if (parent === null) {
    sql.exec(`UPDATE tasks SET ${setDone} WHERE id = ?`, outcome.status, outcome.response ?? null, now, task)
    countMoved(sql, 'task', ['running', 'done'])
    addCallback(sql, task, now, onWaiting)
    return 'done'
  }
  sql.exec('DELETE FROM tasks WHERE id = ?', task)
  sql.exec('UPDATE tasks SET done = done + 1 WHERE id = ?', parent)
  endFraction(sql, parent, now, onWaiting)
  return 'done'
}

/** After a failed attempt: retries the row if it has retries left, was not canceled and would not expire; ends it otherwise. */
function settleFailure(
  sql: SqlStorage,
  row: TaskRow,
  outcome: RequestOutcome,
  now: number,
  onWaiting?: OnWaiting,
): TaskState {
  const fraction = row.parent === null ? undefined : findRow(sql, row.parent)
  const isCanceled = row.is_canceled === 1 || fraction?.state === 'canceled'
  const attempt = { status: outcome.status, error: outcome.error, response: outcome.response ?? null }
  if (fraction) storePieceAttempt(sql, fraction.id, row, attempt)
  const due = now + Math.max(backoff(row.retry_delay, row.tries), outcome.retryAfterMs ?? 0)
  if (row.tries > row.retries || isCanceled || isExpired(row, due))
    return endFailed(sql, { row, fraction }, outcome, now, onWaiting)
  if (!fraction) storeAttempt(sql, row.id, { ...row, ...attempt })
  const retried = `state = 'waiting', due_at = ?, status = ?, error = ?`
  sql.exec(`UPDATE tasks SET ${retried} WHERE id = ?`, due, outcome.status, outcome.error, row.id)
  countMoved(sql, row.kind, ['running', 'waiting'])
  onWaiting?.({ ...row, due_at: due })
  return 'waiting'
}

/** Ends a row without success, deletes its secrets, and counts it in its fraction if it is a piece. */
function endFailed(
  sql: SqlStorage,
  { row, fraction }: { row: TaskRow; fraction: TaskRow | undefined },
  { status, error, response }: RequestOutcome,
  now: number,
  onWaiting?: OnWaiting,
): TaskState {
  const state = row.is_canceled === 1 ? 'canceled' : error === 'lost' ? 'lost' : 'failed'
  const ended = `state = ?, status = ?, error = ?, ${setResponse}, ended_at = ?, sealed = NULL`
  sql.exec(
    `UPDATE tasks SET ${ended} WHERE id = ?`,
    state,
    status,
    error,
    fraction ? null : (response ?? null),
    now,
    row.id,
  )
  countMoved(sql, row.kind, ['running', state])
  if (!fraction) {
    addCallback(sql, row.id, now, onWaiting)
    return state
  }
  sql.exec(`UPDATE tasks SET ${state} = ${state} + 1 WHERE id = ?`, fraction.id)
  if (state === 'failed' && fraction.failed >= maxFailedPieces) sql.exec('DELETE FROM tasks WHERE id = ?', row.id)
  endFraction(sql, fraction.id, now, onWaiting)
  return state
}

/** Number of failed pieces of a fraction that are stored. Further failed pieces are only counted, so that a fraction of millions stays small. */
const maxFailedPieces = 10_000

/**
 * After a crash: settles the requests that were running as lost, since it is unknown whether they arrived, and calls `holdLost` so
 * that their slots stay taken until their deadlines. Returns the new states of the tasks.
 */
export function recover(
  sql: SqlStorage,
  now: number,
  isStrict = false,
  onWaiting?: (row: TaskRow) => void,
): TaskState[] {
  const running = sql
    .exec<TaskRow>(`SELECT ${lightColumns} FROM tasks WHERE state = 'running' AND kind <> 'fraction'`)
    .toArray()
  return running.map((row) => {
    holdLost(sql, row, { now, isStrict })
    return settleFailure(sql, row, { status: null, error: 'lost' }, now, onWaiting)
  })
}
