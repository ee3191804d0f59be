// Deletes ended tasks: those older than `QUEUE_RETENTION`, and more if a worker has too many or its database is too large.
import { countDeleted, countOf } from './counts.ts'
import type { TaskRow } from './tables.ts'

/**
 * Table of deleted fractions whose pieces are still stored. The pieces are deleted in later steps, since a fraction may have many;
 * the fraction is deleted first, so that it cannot be retried without some of its pieces.
 */
export const createRemovals = 'CREATE TABLE removals (fraction INTEGER PRIMARY KEY)'

/** Rows deleted per step, and steps per run. Together several times the tasks that a worker can receive in the minute between two runs. */
const rowsPerStep = 1_000
const stepsPerRun = 400

/** Limits for ended tasks. */
interface Limits {
  /** Milliseconds since 1970: tasks that ended before are deleted. */
  before: number
  /** Maximum number of ended tasks and fractions. Those that are done are deleted first. */
  maxEnded: number
  /** Size of the database in bytes above which ended tasks are deleted whatever their age. */
  maxBytes: number
}

/** Ended states in the order in which their tasks are deleted to make room: failed and lost tasks last, since callers may retry them. */
const endedStates = ['done', 'canceled', 'failed', 'lost'] as const

/** Thresholds of a worker's database, in bytes. */
interface Capacity {
  /** Above this, ended tasks are deleted for each new one. */
  fullAtBytes: number
  /** Above this, new tasks are refused. */
  refusedAtBytes: number
}

/** Ended tasks that are deleted for each new task in a full worker. More than one, so that the database shrinks. */
const rowsPerNewTask = 100

/** Whether there is room for a new task. In a full worker, deletes ended tasks to make room. */
export function hasRoom(sql: SqlStorage, { fullAtBytes, refusedAtBytes }: Capacity): boolean {
  if (sql.databaseSize <= fullAtBytes) return true
  return makeRoom(sql, rowsPerNewTask) > 0 && sql.databaseSize <= refusedAtBytes
}

/** Deletes ended tasks beyond the limits, in steps. Between two steps the object handles other work. */
export async function deleteEnded(sql: SqlStorage, { before, maxEnded, maxBytes }: Limits): Promise<void> {
  for (let step = 0; step < stepsPerRun; step++) {
    if (deleteOldest(sql, before) === 0) break
    await scheduler.wait(1)
  }
  for (let step = 0; step < stepsPerRun; step++) {
    const excess = countOf(sql, { kinds: ['task', 'fraction'], states: endedStates }) - maxEnded
    const isFull = sql.databaseSize > maxBytes
    if (!isFull && excess <= 0) return
    if (makeRoom(sql, isFull ? rowsPerStep : Math.min(excess, rowsPerStep)) === 0) return
    await scheduler.wait(1)
  }
}

/** When the oldest ended task is to be deleted, in milliseconds since 1970; infinite if there is none. */
export function nextDeletion(sql: SqlStorage, retentionMs: number): number {
  const oldest = endedStates.flatMap((state) =>
    sql
      .exec<{ at: number }>(
        `SELECT ended_at AS at FROM tasks INDEXED BY tasks_ended WHERE state = '${state}' AND ended_at IS NOT NULL
         ORDER BY ended_at LIMIT 1`,
      )
      .toArray()
      .map(({ at }) => at),
  )
  return Math.min(...oldest) + retentionMs
}

/** Deletes up to `maxRows` ended tasks, the oldest of a state first. Returns the number of deleted rows. */
export function makeRoom(sql: SqlStorage, maxRows: number): number {
  const pieces = deletePieces(sql, maxRows)
  if (pieces > 0) return pieces
  for (const state of endedStates) {
    const deleted = deleteWhere(sql, `state = '${state}' AND ended_at IS NOT NULL ORDER BY ended_at, id`, maxRows)
    if (deleted > 0) return deleted
  }
  return 0
}

function deleteOldest(sql: SqlStorage, before: number): number {
  let deleted = deletePieces(sql, rowsPerStep)
  for (const state of endedStates) {
    if (deleted >= rowsPerStep) break
    const old = `state = '${state}' AND ended_at IS NOT NULL AND ended_at < ${Math.floor(before)} ORDER BY ended_at, id`
    deleted += deleteWhere(sql, old, rowsPerStep - deleted)
  }
  return deleted
}

/** Deletes tasks and fractions that match an SQL condition. */
const deleteWhere = (sql: SqlStorage, condition: string, maxRows: number): number =>
  deleteIn(sql, `SELECT id FROM tasks INDEXED BY tasks_ended WHERE parent IS NULL AND ${condition} LIMIT ?`, maxRows)

/** Deletes tasks and fractions that have ended, by their numbers. Returns how many there were. */
export const deleteTasks = (sql: SqlStorage, ids: number[]): number =>
  deleteIn(sql, 'SELECT value FROM json_each(?)', JSON.stringify(ids))

/** Deletes the tasks and fractions of a query. Queues the pieces of a fraction for `deletePieces`. */
function deleteIn(sql: SqlStorage, ids: string, param: number | string): number {
  const deleted = sql
    .exec<Pick<TaskRow, 'id' | 'kind' | 'state'>>(
      `DELETE FROM tasks WHERE id IN (${ids}) RETURNING id, kind, state`,
      param,
    )
    .toArray()
  countDeleted(sql, deleted)
  for (const { id, kind } of deleted)
    if (kind === 'fraction')
      sql.exec('INSERT INTO removals SELECT ?1 WHERE EXISTS (SELECT 1 FROM tasks WHERE parent = ?1)', id)
  return deleted.length
}

/** Deletes up to `maxRows` pieces of deleted fractions. Returns their number. */
function deletePieces(sql: SqlStorage, maxRows: number): number {
  let deleted = 0
  for (const { fraction } of sql
    .exec<{ fraction: number }>('SELECT fraction FROM removals LIMIT ?', maxRows)
    .toArray()) {
    const pieces = 'SELECT id FROM tasks INDEXED BY tasks_pieces WHERE parent = ? LIMIT ?'
    deleted += sql
      .exec(`DELETE FROM tasks WHERE id IN (${pieces}) RETURNING id`, fraction, maxRows - deleted)
      .toArray().length
    if (deleted >= maxRows) return deleted
    sql.exec('DELETE FROM removals WHERE fraction = ?', fraction)
  }
  return deleted
}
