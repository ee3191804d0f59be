import { missing } from '#core/failure'
import type { Listed } from './contract.ts'
import type { Posting } from './posting.ts'
import { light, type Payload, type Row } from './tables.ts'

/** The columns of a row, as it is put in. */
export type Columns = Partial<Omit<Row, 'id'> & Payload> & Posting & Pick<Row, 'kind'>

/** Puts a row in line. */
export function insertRow(sql: SqlStorage, row: Columns, now: number): Row {
  const columns: Record<string, SqlStorageValue> = { state: 'waiting', created_at: now, ...row }
  const names = Object.keys(columns)
  const marks = names.map(() => '?').join(', ')
  const statement = `INSERT INTO tasks (${names.join(', ')}) VALUES (${marks}) RETURNING ${light}`
  return sql.exec<Row>(statement, ...Object.values(columns)).one()
}

/** A task or a fraction by its number; 404 for none. */
export function findRow(sql: SqlStorage, number: number): Row {
  const [row] = sql.exec<Row>(`SELECT ${light} FROM tasks WHERE id = ? AND kind <> 'piece'`, number)
  if (!row) throw missing('task')
  return row
}

const ended = ['done', 'failed', 'lost', 'canceled']

export const isOver = ({ state }: Row) => ended.includes(state)

const inLine = 'due_at, id'

/** By which index a list is read, and in what order: the planner would sometimes sort all there is instead. */
function pathOf({ state, kind, schedule }: Pick<Listed, 'state' | 'kind' | 'schedule'>) {
  if (schedule) return { index: 'INDEXED BY tasks_schedule', order: 'id DESC' }
  if (kind === 'fraction') return { index: 'INDEXED BY tasks_fractions', order: 'id DESC' }
  if (state === undefined) return { index: 'NOT INDEXED', order: 'id DESC' }
  if (state === 'waiting') return { index: 'INDEXED BY tasks_waiting', order: inLine }
  if (state === 'running') return { index: 'INDEXED BY tasks_running', order: 'id DESC' }
  return { index: 'INDEXED BY tasks_ended', order: 'ended_at DESC, id DESC' }
}

/** Tasks and fractions: those that wait in their order in line, those of a state in which they end the last ended first, others the newest first. */
export function listRows(sql: SqlStorage, { limit, offset, count, ...asked }: Omit<Listed, 'worker'>) {
  const { index, order } = pathOf(asked)
  const { state, kind, schedule } = asked
  // A partial index serves where its condition is said to the letter; `state` and `kind` are of a few words.
  const conditions = [
    kind ? `kind = '${kind}'` : `kind <> 'piece'`,
    ...(state ? [`state = '${state}'`] : []),
    ...(state && ended.includes(state) ? ['ended_at IS NOT NULL'] : []),
    ...(schedule ? ['schedule IS NOT NULL AND schedule = ?'] : []),
  ]
  const from = `FROM tasks ${index} WHERE ${conditions.join(' AND ')}`
  const given = schedule ? [schedule] : []
  // Two indexes have those that wait in their order: one those without a key, one the others.
  const selected =
    order === inLine
      ? `SELECT ${light} ${from} AND key IS NULL
         UNION ALL SELECT ${light} ${from.replace(index, 'INDEXED BY tasks_keyed')} AND key IS NOT NULL`
      : `SELECT ${light} ${from}`
  const rows = sql.exec<Row>(`${selected} ORDER BY ${order} LIMIT ? OFFSET ?`, ...given, limit, offset).toArray()
  if (!count) return { rows }
  return { rows, nb_results: sql.exec<{ n: number }>(`SELECT count(*) AS n ${from}`, ...given).one().n }
}

const mostNamed = 1_000

/** The pieces of a fraction that failed or were lost. */
export const unhappyPieces = (sql: SqlStorage, number: number): Row[] =>
  sql
    .exec<Row>(
      `SELECT ${light} FROM tasks WHERE parent = ? AND state IN ('lost', 'failed') ORDER BY state DESC, min LIMIT ?`,
      number,
      mostNamed,
    )
    .toArray()
