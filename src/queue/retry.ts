import { countMoved } from './counts.ts'
import { failure } from './errors.ts'
import { endFraction } from './fractions.ts'
import { findRow, isOver } from './tasks.ts'

/** Puts a task that has ended without success in line again; of a fraction the pieces that did, and what of it is left. */
export function retryRow(sql: SqlStorage, number: number, now: number): void {
  const row = findRow(sql, number)
  if (!isOver(row) || row.state === 'done')
    throw failure('task_not_repeatable', `The task cannot be retried: its state is ${row.state}.`)
  if (row.is_sealed)
    throw failure('task_not_repeatable', 'The task cannot be retried: its secret headers were deleted when it ended.')
  const state = row.kind === 'fraction' && row.next === null ? 'running' : 'waiting'
  const again = 'tries = 0, due_at = ?, expires_at = NULL, ended_at = NULL'
  sql.exec(`UPDATE tasks SET state = ?, is_canceled = 0, ${again} WHERE id = ?`, state, now, number)
  countMoved(sql, row.kind, [row.state, state])
  if (row.kind === 'task') return
  for (const state of ['failed', 'lost'] as const) {
    const named = `WHERE parent = ? AND state = '${state}'`
    sql.exec(`UPDATE tasks SET ${state} = ${state} - (SELECT count(*) FROM tasks ${named}) WHERE id = ?1`, number)
    const pieces = sql.exec(`UPDATE tasks SET state = 'waiting', ${again} ${named} RETURNING id`, now, number)
    countMoved(sql, 'piece', [state, 'waiting'], pieces.toArray().length)
  }
  // All of it was under way when it was canceled, and has succeeded since.
  endFraction(sql, number, now)
}
