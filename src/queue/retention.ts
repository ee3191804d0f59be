import { countDeleted, countOf } from './counts.ts'
import type { TaskRow } from './tables.ts'

/**
 * Fractions that were deleted while pieces of them were left. The pieces go in the following steps: a fraction may have
 * millions, and nobody can retry a fraction that has lost some of them.
 */
export const createRemovals = 'CREATE TABLE removals (fraction INTEGER PRIMARY KEY)'

/** Rows deleted in one step, and steps in one run: several times what a worker can take in until the next run. */
const rowsPerStep = 1_000
const stepsPerRun = 400

/** What a worker keeps of what has ended. */
interface Limits {
  /** Milliseconds since 1970: what ended before is deleted. */
  before: number
  /** Tasks and fractions, of which those that are done are deleted first. */
  maxEnded: number
  /** Bytes of the whole worker, past which what has ended is deleted whatever its age, and so are idempotency keys. */
  maxBytes: number
}

/** The states that a worker deletes first when there is too much. */
const endedStates = ['done', 'canceled', 'failed', 'lost'] as const

/** Sizes of a worker's database, in bytes. */
interface Capacity {
  /** Above this, ended tasks are deleted for each new one. */
  fullAtBytes: number
  /** Above this, no task is added, whatever was deleted for it. */
  refusedAtBytes: number
}

/** Ended tasks that are deleted for a new one in a full worker. */
const rowsForOne = 100

/** Whether there is room for a new task, for which ended ones are deleted in a full worker. */
export function hasRoom(sql: SqlStorage, { fullAtBytes, refusedAtBytes }: Capacity): boolean {
  if (sql.databaseSize <= fullAtBytes) return true
  return makeRoom(sql, rowsForOne) > 0 && sql.databaseSize <= refusedAtBytes
}

/** Deletes what has ended and is not to be kept, in steps, between which others have their turn. */
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

/** Deletes up to `maxRows` rows of what has ended, the oldest of each state first. Returns their number. */
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

/** Deletes tasks and fractions. The pieces of a fraction are left to `deletePieces`. */
function deleteWhere(sql: SqlStorage, condition: string, maxRows: number): number {
  const whole = `SELECT id FROM tasks INDEXED BY tasks_ended WHERE parent IS NULL AND ${condition} LIMIT ?`
  const deleted = sql
    .exec<Pick<TaskRow, 'id' | 'kind' | 'state'>>(
      `DELETE FROM tasks WHERE id IN (${whole}) RETURNING id, kind, state`,
      maxRows,
    )
    .toArray()
  countDeleted(sql, deleted)
  for (const { id, kind } of deleted)
    if (kind === 'fraction')
      sql.exec('INSERT INTO removals SELECT ?1 WHERE EXISTS (SELECT 1 FROM tasks WHERE parent = ?1)', id)
  return deleted.length
}

/** Deletes up to `maxRows` pieces of fractions that were deleted. Returns their number. */
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
