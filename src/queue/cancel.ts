import { countMoved } from './counts.ts'
import { failure } from './errors.ts'
import { findRow, isOver } from './tasks.ts'

/**
 * Takes a task out of the line; one whose request is under way is not repeated, and a fraction has no further piece. Doing
 * so twice is fine; 409 for what has ended by itself.
 */
export function cancelRow(sql: SqlStorage, number: number, now: number): void {
  const row = findRow(sql, number)
  if (row.state === 'canceled') return
  if (isOver(row)) throw failure('task_ended', `The task cannot be canceled: its state is ${row.state}.`)
  if (row.kind === 'task' && row.state === 'running') {
    sql.exec('UPDATE tasks SET is_canceled = 1 WHERE id = ?', number)
    return
  }
  sql.exec(`UPDATE tasks SET state = 'canceled', ended_at = ?, sealed = NULL WHERE id = ?`, now, number)
  countMoved(sql, row.kind, [row.state, 'canceled'])
  if (row.kind === 'task') return
  const ended = `UPDATE tasks SET state = 'failed', ended_at = ? WHERE parent = ? AND state = 'waiting' RETURNING id`
  const pieces = sql.exec(ended, now, number).toArray().length
  countMoved(sql, 'piece', ['waiting', 'failed'], pieces)
  sql.exec('UPDATE tasks SET failed = failed + ? WHERE id = ?', pieces, number)
}
