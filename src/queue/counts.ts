// Numbers of tasks by kind and state, updated with each change of a row, since counting millions of rows takes seconds.
import type { TaskRow } from './tables.ts'

/**
 * Table with the number of rows per kind and state, changed in the same transaction as the rows. To save a write per new task, the
 * `n` of waiting tasks is only a correction: their number is `n` plus the number of rows ever inserted (the sequence of `tasks`).
 * Of pieces only those that wait are counted.
 */
export const createCounts = `
CREATE TABLE counts (kind TEXT NOT NULL, state TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (kind, state)) WITHOUT ROWID;
INSERT INTO counts SELECT kind, state, count(*) FROM tasks WHERE kind <> 'piece' OR state = 'waiting' GROUP BY kind, state;
INSERT INTO counts SELECT 'task', 'waiting', -seq FROM sqlite_sequence WHERE name = 'tasks'
  ON CONFLICT (kind, state) DO UPDATE SET n = n + excluded.n;
`

type Kind = TaskRow['kind']
type State = TaskRow['state']

const isCounted = (kind: Kind, state: State) => kind !== 'piece' || state === 'waiting'

function add(sql: SqlStorage, kind: Kind, state: State, n: number): void {
  if (n === 0 || !isCounted(kind, state)) return
  const insert = 'INSERT INTO counts (kind, state, n) VALUES (?, ?, ?)'
  sql.exec(`${insert} ON CONFLICT (kind, state) DO UPDATE SET n = n + excluded.n`, kind, state, n)
}

/** Adds an inserted row to the counts. The sequence of `tasks` counts each row as a waiting task: for any other row, subtract that. */
export function countInserted(sql: SqlStorage, { kind, state }: Pick<TaskRow, 'kind' | 'state'>): void {
  if (kind === 'task' && state === 'waiting') return
  add(sql, 'task', 'waiting', -1)
  add(sql, kind, state, 1)
}

/** Moves `n` rows from one state to another in the counts. */
export function countMoved(sql: SqlStorage, kind: Kind, [from, to]: [State, State], n = 1): void {
  if (from === to) return
  add(sql, kind, from, -n)
  add(sql, kind, to, n)
}

/** Removes deleted rows from the counts. */
export function countDeleted(sql: SqlStorage, rows: Pick<TaskRow, 'kind' | 'state'>[]): void {
  for (const [kind, those] of Map.groupBy(rows, ({ kind }) => kind))
    for (const [state, same] of Map.groupBy(those, ({ state }) => state)) add(sql, kind, state, -same.length)
}

/** Number of rows of the given kinds and states; of all states by default. */
export function countOf(
  sql: SqlStorage,
  { kinds, states }: { kinds: readonly Kind[]; states?: readonly State[] },
): number {
  const rows = sql.exec<{ kind: Kind; state: State; n: number }>('SELECT kind, state, n FROM counts').toArray()
  const counted = rows.filter(({ kind, state }) => kinds.includes(kind) && (!states || states.includes(state)))
  const sum = counted.reduce((sum, { n }) => sum + n, 0)
  const includesNew = kinds.includes('task') && (!states || states.includes('waiting'))
  return includesNew ? sum + inserted(sql) : sum
}

/** Number of rows ever inserted into `tasks`, from the sequence that SQLite keeps for `AUTOINCREMENT`. */
function inserted(sql: SqlStorage): number {
  const [row] = sql.exec<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'tasks'`)
  return row?.seq ?? 0
}
