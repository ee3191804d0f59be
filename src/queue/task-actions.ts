// The logic of `DELETE /task` and `POST /task/retry`: cancels a task, or retries one that has ended.

import { keepLastAttempt } from './attempts.ts'
import { addCallback, type OnWaiting } from './callbacks.ts'
import { countMoved } from './counts.ts'
import { failure } from './errors.ts'
import { endFraction } from './fractions.ts'
import { findTask, hasEnded } from './tasks.ts'

/**
 * Cancels a task. A request that is being sent is not aborted and is not retried, and a fraction starts no further pieces.
 * Canceling twice has no effect; 409 for a task that has ended otherwise.
 */
export function cancelTask(sql: SqlStorage, number: number, now: number, onWaiting?: OnWaiting): void {
  const row = findTask(sql, number)
  if (row.state === 'canceled') return
  if (hasEnded(row)) throw failure('task_ended', `The task cannot be canceled: its state is ${row.state}.`)
  if (row.kind === 'task' && row.state === 'running') {
    sql.exec('UPDATE tasks SET is_canceled = 1 WHERE id = ?', number)
    return
  }
  sql.exec(`UPDATE tasks SET state = 'canceled', ended_at = ?, sealed = NULL WHERE id = ?`, now, number)
  countMoved(sql, row.kind, [row.state, 'canceled'])
  addCallback(sql, number, now, onWaiting)
  if (row.kind === 'task') return
  const ended = `UPDATE tasks SET state = 'failed', ended_at = ? WHERE parent = ? AND state = 'waiting' RETURNING id`
  const pieces = sql.exec(ended, now, number).toArray().length
  countMoved(sql, 'piece', ['waiting', 'failed'], pieces)
  sql.exec('UPDATE tasks SET failed = failed + ? WHERE id = ?', pieces, number)
}

/**
 * Makes a task that failed, was lost or was canceled due now. For a fraction, its failed and lost pieces are due again, and the
 * rest of its range follows. 409 if the task has not ended, has succeeded, or had secrets.
 */
export function retryTask(sql: SqlStorage, number: number, now: number, onWaiting?: OnWaiting): void {
  const row = findTask(sql, number)
  if (!hasEnded(row) || row.state === 'done')
    throw failure('task_not_repeatable', `The task cannot be retried: its state is ${row.state}.`)
  if (row.is_sealed)
    throw failure('task_not_repeatable', 'The task cannot be retried: its secret headers were deleted when it ended.')
  keepLastAttempt(sql, number)
  const state = row.kind === 'fraction' && row.next === null ? 'running' : 'waiting'
  const again = 'tries = 0, due_at = ?, expires_at = NULL, ended_at = NULL'
  sql.exec(`UPDATE tasks SET state = ?, is_canceled = 0, ${again} WHERE id = ?`, state, now, number)
  countMoved(sql, row.kind, [row.state, state])
  if (row.kind === 'task') return
  for (const state of ['failed', 'lost'] as const) {
    const isStored = `WHERE parent = ? AND state = '${state}'`
    sql.exec(`UPDATE tasks SET ${state} = ${state} - (SELECT count(*) FROM tasks ${isStored}) WHERE id = ?1`, number)
    const pieces = sql.exec(`UPDATE tasks SET state = 'waiting', ${again} ${isStored} RETURNING id`, now, number)
    countMoved(sql, 'piece', [state, 'waiting'], pieces.toArray().length)
  }
  // If all pieces had started before the fraction was canceled, and all have succeeded since, nothing is left to send: it is done.
  endFraction(sql, number, now, onWaiting)
}
