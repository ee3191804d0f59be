// Inserts and finds rows of the table `tasks`, which contains tasks, fractions and pieces.
import { countInserted } from './counts.ts'
import { missing } from './errors.ts'
import { lightColumns, type Payload, type TaskRow } from './tables.ts'
import type { TaskRecord } from './task-record.ts'

/** A row to insert: a task, a fraction, or a piece that is already running. */
export type NewTaskRow = TaskRecord & Pick<TaskRow, 'kind'> & Partial<Omit<TaskRow, 'id'> & Payload>

/** Inserts a row, which waits unless `row` has another state. */
export function insertTask(sql: SqlStorage, row: NewTaskRow, now: number): TaskRow {
  const columns: Record<string, SqlStorageValue> = { state: 'waiting', created_at: now, ...row }
  const names = Object.keys(columns)
  const marks = names.map(() => '?').join(', ')
  const statement = `INSERT INTO tasks (${names.join(', ')}) VALUES (${marks}) RETURNING ${lightColumns}`
  const inserted = sql.exec<TaskRow>(statement, ...Object.values(columns)).one()
  countInserted(sql, inserted)
  return inserted
}

/** Finds a task or a fraction by its number; throws 404 `task_not_found`. */
export function findTask(sql: SqlStorage, number: number): TaskRow {
  const [row] = sql.exec<TaskRow>(`SELECT ${lightColumns} FROM tasks WHERE id = ? AND kind <> 'piece'`, number)
  if (!row) throw missing('task', { number })
  return row
}

const endedStates = ['done', 'failed', 'lost', 'canceled']

export const hasEnded = ({ state }: Pick<TaskRow, 'state'>) => endedStates.includes(state)

/** Maximum number of failed and lost pieces in the reply of `GET /task`. */
const maxFailedPieces = 1_000

/** The first pieces of a fraction that failed or were lost; lost ones first. */
export const failedPieces = (sql: SqlStorage, number: number): TaskRow[] =>
  sql
    .exec<TaskRow>(
      `SELECT ${lightColumns} FROM tasks WHERE parent = ? AND state IN ('lost', 'failed') ORDER BY state DESC, min LIMIT ?`,
      number,
      maxFailedPieces,
    )
    .toArray()
