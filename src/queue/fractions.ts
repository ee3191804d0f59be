// Fractions: a fraction is a task over a range of numbers, and each piece of the range is sent as one request.
import { addCallback, type OnWaiting } from './callbacks.ts'
import { countMoved } from './counts.ts'
import type { TaskRow } from './tables.ts'
import { insertTask } from './tasks.ts'

/** A part of a fraction's range; both ends are included. */
export interface Piece {
  min: number
  max: number
}

/** The piece that begins at `next`: `gap` items, fewer at the end of the range. */
export const pieceAt = (next: number, { max, gap }: { max: number; gap: number }): Piece => ({
  min: next,
  max: gap > max - next ? max : next + gap - 1,
})

/** Number of pieces in a range. */
export const countPieces = ({ min, max, gap }: Piece & { gap: number }) => Math.ceil((max - min + 1) / gap)

/** A fraction with this number of pieces that wait for a retry starts no new ones, so that a target that is down does not fill the table. */
const maxRetriedPieces = 1_000

/**
 * Inserts the next piece of a fraction as a running row and advances the fraction's cursor. The fraction is then due after all
 * tasks that are due now. Undefined if too many pieces wait for a retry: then the fraction is due when the first of them is.
 */
export function nextPiece(sql: SqlStorage, fraction: TaskRow, now: number): TaskRow | undefined {
  const retried = `FROM tasks WHERE parent = ?1 AND state = 'waiting'`
  if (sql.exec(`SELECT 1 ${retried} LIMIT 1 OFFSET ${maxRetriedPieces - 1}`, fraction.id).toArray().length > 0) {
    const due = `max(?2, (SELECT min(due_at) ${retried}))`
    sql.exec(`UPDATE tasks SET due_at = ${due} WHERE id = ?1`, fraction.id, now + 1)
    return undefined
  }
  const { id, method, url, timeout, sleep, retries, retry_delay, is_sealed, request_id, key, priority } = fraction
  const piece = pieceAt(fraction.next!, { max: fraction.max!, gap: fraction.gap! })
  const isLast = piece.max === fraction.max
  sql.exec(
    'UPDATE tasks SET state = ?, next = ?, due_at = ?, attempts = attempts + 1, started_at = ? WHERE id = ?',
    isLast ? 'running' : 'waiting',
    isLast ? null : piece.max + 1,
    now,
    now,
    id,
  )
  if (isLast) countMoved(sql, 'fraction', ['waiting', 'running'])
  const request = {
    expires_at: null,
    method,
    url,
    headers: null,
    json: null,
    body: null,
    sealed: null,
    is_sealed,
    timeout,
    sleep,
    request_id,
    key,
    priority,
    labels: null,
    on_success: null,
    on_failure: null,
  }
  const first = { state: 'running', tries: 1, attempts: 1, due_at: now, started_at: now } as const
  return insertTask(sql, { kind: 'piece', parent: id, ...piece, ...request, retries, retry_delay, ...first }, now)
}

/** Ends a fraction if all its pieces have started and none waits or runs. */
export function endFraction(sql: SqlStorage, id: number, now: number, onWaiting?: OnWaiting): void {
  const hasFailed = 'failed + lost > 0'
  const ended = sql.exec<Pick<TaskRow, 'state'>>(
    `UPDATE tasks SET state = CASE WHEN ${hasFailed} THEN 'failed' ELSE 'done' END, ended_at = ?2, sealed = NULL,
       headers = CASE WHEN ${hasFailed} THEN headers END, json = CASE WHEN ${hasFailed} THEN json END
     WHERE id = ?1 AND state = 'running'
       AND NOT EXISTS (SELECT 1 FROM tasks WHERE parent = ?1 AND state IN ('waiting', 'running'))
     RETURNING state`,
    id,
    now,
  )
  for (const { state } of ended.toArray()) {
    countMoved(sql, 'fraction', ['running', state])
    addCallback(sql, id, now, onWaiting)
  }
}
