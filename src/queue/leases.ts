import { backoff } from './backoff.ts'
import type { TaskState } from './contract.ts'
import { countMoved } from './counts.ts'
import { isExpired } from './expiry.ts'
import { endFraction, nextPiece } from './fractions.ts'
import { holdLost } from './holds.ts'
import type { RequestOutcome, TaskRequest } from './perform.ts'
import { light, type Payload, type TaskRow } from './tables.ts'

/** A request that is to be made, written down as under way before it is. */
export interface Lease extends Omit<TaskRequest, 'id'> {
  task: number
  /** The fraction of a piece. */
  parent: number | null
  /** The flow key, under which it counts as running. */
  key: string | null
  /** Milliseconds that its daemon rests afterwards. */
  sleep: number
  /** Milliseconds since 1970. */
  started_at: number
}

/** Leases what is due, in its row; of a fraction its next piece, where it has one now. */
export function leaseRow(sql: SqlStorage, row: TaskRow, now: number): Lease | undefined {
  if (row.kind === 'fraction') {
    const piece = nextPiece(sql, row, now)
    return piece && leaseOf(sql, { ...piece, started_at: now }, row)
  }
  markRunning(sql, row.id, now)
  countMoved(sql, row.kind, ['waiting', 'running'])
  const taken = { ...row, attempts: row.attempts + 1, started_at: now }
  return leaseOf(sql, taken, row.parent === null ? taken : find(sql, row.parent)!)
}

const taken = 'tries = tries + 1, attempts = attempts + 1, started_at = ?'
const nothing = 'headers = NULL, json = NULL, body = NULL, sealed = NULL, error = NULL'
const done = `state = 'done', status = ?, ended_at = ?, ${nothing}`

/** Writes into a task's row that its request is under way since `now`. */
export function markRunning(sql: SqlStorage, id: number, now: number): void {
  sql.exec(`UPDATE tasks SET state = 'running', ${taken} WHERE id = ?`, now, id)
}

/** A task that is done, whose row may still say that it waits. */
export interface Done {
  task: number
  status: number
  started_at: number
  ended_at: number
}

/** Writes into a task's row that its request was made and did what it was for. */
export function markDone(sql: SqlStorage, { task, status, started_at, ended_at }: Done): void {
  sql.exec(`UPDATE tasks SET ${taken}, ${done} WHERE id = ?`, started_at, status, ended_at, task)
}

/** A piece has the request of its fraction. */
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

const find = (sql: SqlStorage, id: number): TaskRow | undefined =>
  sql.exec<TaskRow>(`SELECT ${light} FROM tasks WHERE id = ?`, id).toArray()[0]

/** Whether a request did what it was for. */
export const isDone = ({ status }: RequestOutcome) => status !== null && status >= 200 && status < 300

/** Records what became of a request, calls `onWaiting` if the task is to be repeated, and gives the state that the task is in now. */
export function settle(
  sql: SqlStorage,
  { task, parent }: Pick<Lease, 'task' | 'parent'>,
  outcome: RequestOutcome,
  now: number,
  onWaiting?: (row: TaskRow) => void,
): TaskState | undefined {
  if (!isDone(outcome)) return settleUnhappy(sql, find(sql, task), outcome, now, onWaiting)
  if (parent === null) {
    sql.exec(`UPDATE tasks SET ${done} WHERE id = ?`, outcome.status, now, task)
    countMoved(sql, 'task', ['running', 'done'])
    return 'done'
  }
  sql.exec('DELETE FROM tasks WHERE id = ?', task)
  sql.exec('UPDATE tasks SET done = done + 1 WHERE id = ?', parent)
  endFraction(sql, parent, now)
  return 'done'
}

function settleUnhappy(
  sql: SqlStorage,
  row: TaskRow | undefined,
  outcome: RequestOutcome,
  now: number,
  onWaiting?: (row: TaskRow) => void,
): TaskState | undefined {
  // A fraction may be forgotten while its last piece is still under way.
  if (!row) return undefined
  const { status, error } = outcome
  const fraction = row.parent === null ? undefined : find(sql, row.parent)
  const isWanted = row.is_canceled === 0 && fraction?.state !== 'canceled'
  const due = now + Math.max(backoff(row.retry_delay, row.tries), outcome.retryAfter ?? 0)
  if (row.tries <= row.retries && isWanted && !isExpired(row, due)) {
    const again = `state = 'waiting', due_at = ?, status = ?, error = ?`
    sql.exec(`UPDATE tasks SET ${again} WHERE id = ?`, due, status, error, row.id)
    countMoved(sql, row.kind, ['running', 'waiting'])
    onWaiting?.({ ...row, due_at: due })
    return 'waiting'
  }
  const state = row.is_canceled === 1 ? 'canceled' : error === 'lost' ? 'lost' : 'failed'
  const ended = 'state = ?, status = ?, error = ?, ended_at = ?, sealed = NULL'
  sql.exec(`UPDATE tasks SET ${ended} WHERE id = ?`, state, status, error, now, row.id)
  countMoved(sql, row.kind, ['running', state])
  if (!fraction) return state
  sql.exec(`UPDATE tasks SET ${state} = ${state} + 1 WHERE id = ?`, fraction.id)
  if (state === 'failed' && fraction.failed >= mostNamed) sql.exec('DELETE FROM tasks WHERE id = ?', row.id)
  endFraction(sql, fraction.id, now)
  return state
}

/** How many failed pieces of a fraction are kept by name; the others are counted. Lost ones all are. */
const mostNamed = 10_000

/**
 * Takes back what was under way when the process ended: whether the requests arrived is not known. Their slots stay taken as
 * `holdLost` says. Gives the states.
 */
export function recover(sql: SqlStorage, now: number, isSerial = false): (TaskState | undefined)[] {
  const running = sql
    .exec<TaskRow>(`SELECT ${light} FROM tasks WHERE state = 'running' AND kind <> 'fraction'`)
    .toArray()
  return running.map((row) => {
    holdLost(sql, row, { now, isSerial })
    return settleUnhappy(sql, row, { status: null, error: 'lost' }, now)
  })
}
