import { countDeleted, countOf } from './counts.ts'
import type { Row } from './tables.ts'

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

/** Deletes what has ended and is not to be kept, in steps, between which others have their turn. */
export async function deleteEnded(sql: SqlStorage, { before, maxEnded, maxBytes }: Limits): Promise<void> {
  for (let step = 0; step < stepsPerRun; step++) {
    if (deleteOldest(sql, before) < rowsPerStep) break
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

/** Deletes up to `most` of what has ended, the oldest of each state first; gives how many. */
export function makeRoom(sql: SqlStorage, most: number): number {
  for (const state of endedStates) {
    const deleted = deleteWhere(sql, `state = '${state}' AND ended_at IS NOT NULL ORDER BY ended_at, id`, most)
    if (deleted > 0) return deleted
  }
  return 0
}

function deleteOldest(sql: SqlStorage, before: number): number {
  let deleted = 0
  for (const state of endedStates) {
    const old = `state = '${state}' AND ended_at IS NOT NULL AND ended_at < ${Math.floor(before)} ORDER BY ended_at, id`
    deleted += deleteWhere(sql, old, rowsPerStep - deleted)
    if (deleted >= rowsPerStep) break
  }
  return deleted
}

/** Deletes tasks, and fractions with their pieces. The pieces of a fraction go with it alone. */
function deleteWhere(sql: SqlStorage, condition: string, most: number): number {
  const whole = `SELECT id FROM tasks INDEXED BY tasks_ended WHERE parent IS NULL AND ${condition} LIMIT ?`
  const deleted = sql
    .exec<Pick<Row, 'id' | 'kind' | 'state'>>(
      `DELETE FROM tasks WHERE id IN (${whole}) RETURNING id, kind, state`,
      most,
    )
    .toArray()
  countDeleted(sql, deleted)
  for (const { id, kind } of deleted) if (kind === 'fraction') sql.exec('DELETE FROM tasks WHERE parent = ?', id)
  return deleted.length
}
