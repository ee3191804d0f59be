import { countMoved } from './counts.ts'
import type { TaskRow } from './tables.ts'

/** Whether its request must not be made any more. */
export const isExpired = ({ expires_at }: Pick<TaskRow, 'expires_at'>, now: number) =>
  expires_at !== null && expires_at <= now

/** How many end in one step: there may be a million. */
const mostAtOnce = 1_000

/** Whether something that waits has expired. */
export const hasExpired = (sql: SqlStorage, now: number): boolean =>
  sql
    .exec(
      `SELECT 1 FROM tasks INDEXED BY tasks_expiring
       WHERE state = 'waiting' AND expires_at IS NOT NULL AND expires_at <= ? LIMIT 1`,
      now,
    )
    .toArray().length > 0

/** Ends what waited for too long, and forgets its secrets. What is leased must be marked as that before. */
export function endExpired(sql: SqlStorage, now: number): void {
  const ended = sql.exec(
    `UPDATE tasks SET state = 'failed', error = 'expired', ended_at = ?1, sealed = NULL WHERE id IN (
       SELECT id FROM tasks INDEXED BY tasks_expiring
       WHERE state = 'waiting' AND expires_at IS NOT NULL AND expires_at <= ?1 LIMIT ${mostAtOnce})
     RETURNING id`,
    now,
  )
  countMoved(sql, 'task', ['waiting', 'failed'], ended.toArray().length)
}
