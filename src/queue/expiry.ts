// Expiry of tasks: after `expires_at` a task's request is not sent any more. A task that still waits then fails as `expired`.
import { addCallback, type OnWaiting } from './callbacks.ts'
import { countMoved } from './counts.ts'
import type { TaskRow } from './tables.ts'

/** Whether the request of a task must not be sent any more. */
export const isExpired = ({ expires_at }: Pick<TaskRow, 'expires_at'>, now: number) =>
  expires_at !== null && expires_at <= now

/** Maximum number of tasks that one step ends as expired. A million may expire at the same time, which would block the backlog. */
const maxPerStep = 1_000

/** Whether a waiting task has expired. */
export const hasExpired = (sql: SqlStorage, now: number): boolean =>
  sql
    .exec(
      `SELECT 1 FROM tasks INDEXED BY tasks_expiring
       WHERE state = 'waiting' AND expires_at IS NOT NULL AND expires_at <= ? LIMIT 1`,
      now,
    )
    .toArray().length > 0

/**
 * Ends expired waiting tasks as failed and deletes their secrets. Write the journal to the rows before: the row of a task that only
 * the journal knows as running still says `waiting`, and the task would end although its request was sent.
 */
export function endExpired(sql: SqlStorage, now: number, onWaiting?: OnWaiting): void {
  const ended = sql.exec<{ id: number }>(
    `UPDATE tasks SET state = 'failed', error = 'expired', ended_at = ?1, sealed = NULL WHERE id IN (
       SELECT id FROM tasks INDEXED BY tasks_expiring
       WHERE state = 'waiting' AND expires_at IS NOT NULL AND expires_at <= ?1 LIMIT ${maxPerStep})
     RETURNING id`,
    now,
  )
  const ids = ended.toArray()
  countMoved(sql, 'task', ['waiting', 'failed'], ids.length)
  for (const { id } of ids) addCallback(sql, id, now, onWaiting)
}
