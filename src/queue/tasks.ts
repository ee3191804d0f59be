import { countInserted } from './counts.ts'
import { missing } from './errors.ts'
import type { Posting } from './posting.ts'
import { light, type Payload, type TaskRow } from './tables.ts'

/** The columns of a row, as it is put in. */
export type Columns = Partial<Omit<TaskRow, 'id'> & Payload> & Posting & Pick<TaskRow, 'kind'>

/** Puts a row in line. */
export function insertRow(sql: SqlStorage, row: Columns, now: number): TaskRow {
  const columns: Record<string, SqlStorageValue> = { state: 'waiting', created_at: now, ...row }
  const names = Object.keys(columns)
  const marks = names.map(() => '?').join(', ')
  const statement = `INSERT INTO tasks (${names.join(', ')}) VALUES (${marks}) RETURNING ${light}`
  const inserted = sql.exec<TaskRow>(statement, ...Object.values(columns)).one()
  countInserted(sql, inserted)
  return inserted
}

/** A task or a fraction by its number; 404 for none. */
export function findRow(sql: SqlStorage, number: number): TaskRow {
  const [row] = sql.exec<TaskRow>(`SELECT ${light} FROM tasks WHERE id = ? AND kind <> 'piece'`, number)
  if (!row) throw missing('task', { number })
  return row
}

const ended = ['done', 'failed', 'lost', 'canceled']

export const isOver = ({ state }: TaskRow) => ended.includes(state)

const mostNamed = 1_000

/** The pieces of a fraction that failed or were lost. */
export const unhappyPieces = (sql: SqlStorage, number: number): TaskRow[] =>
  sql
    .exec<TaskRow>(
      `SELECT ${light} FROM tasks WHERE parent = ? AND state IN ('lost', 'failed') ORDER BY state DESC, min LIMIT ?`,
      number,
      mostNamed,
    )
    .toArray()
