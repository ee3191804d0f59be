import { countMoved } from './counts.ts'
import { pieceAt } from './pieces.ts'
import type { TaskRow } from './tables.ts'
import { insertRow } from './tasks.ts'

/** How many pieces of a fraction may wait to be repeated before it has no new ones. */
const mostRepeated = 1_000

/**
 * The next piece of a fraction as a row that is under way. The fraction then waits behind all that is due by now; its cursor
 * and its pieces are all that is stored of it. Nothing where so many pieces wait to be repeated that these come first.
 */
export function nextPiece(sql: SqlStorage, fraction: TaskRow, now: number): TaskRow | undefined {
  const repeated = `FROM tasks WHERE parent = ?1 AND state = 'waiting'`
  if (sql.exec(`SELECT 1 ${repeated} LIMIT 1 OFFSET ${mostRepeated - 1}`, fraction.id).toArray().length > 0) {
    const due = `max(?2, (SELECT min(due_at) ${repeated}))`
    sql.exec(`UPDATE tasks SET due_at = ${due} WHERE id = ?1`, fraction.id, now + 1)
    return undefined
  }
  const { id, method, url, timeout, sleep, retries, retry_delay, is_sealed, request_id, key } = fraction
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
  }
  const first = { state: 'running', tries: 1, attempts: 1, due_at: now, started_at: now } as const
  return insertRow(sql, { kind: 'piece', parent: id, ...piece, ...request, retries, retry_delay, ...first }, now)
}

/** A fraction ends with its last piece. */
export function endFraction(sql: SqlStorage, id: number, now: number): void {
  const isUnhappy = 'failed + lost > 0'
  const ended = sql.exec<Pick<TaskRow, 'state'>>(
    `UPDATE tasks SET state = CASE WHEN ${isUnhappy} THEN 'failed' ELSE 'done' END, ended_at = ?2, sealed = NULL,
       headers = CASE WHEN ${isUnhappy} THEN headers END, json = CASE WHEN ${isUnhappy} THEN json END
     WHERE id = ?1 AND state = 'running'
       AND NOT EXISTS (SELECT 1 FROM tasks WHERE parent = ?1 AND state IN ('waiting', 'running'))
     RETURNING state`,
    id,
    now,
  )
  for (const { state } of ended.toArray()) countMoved(sql, 'fraction', ['running', state])
}
