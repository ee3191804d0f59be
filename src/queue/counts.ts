import type { TaskRow } from './tables.ts'

/**
 * Rows per kind and state, changed in the same step as the rows. A new task costs no write here: the number of waiting tasks is
 * the number of rows ever inserted (the table's sequence) plus `n`, which every other change corrects. Of pieces only those that
 * wait are counted.
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
  const counted = 'INSERT INTO counts (kind, state, n) VALUES (?, ?, ?)'
  sql.exec(`${counted} ON CONFLICT (kind, state) DO UPDATE SET n = n + excluded.n`, kind, state, n)
}

/** Counts a row that was inserted. */
export function countInserted(sql: SqlStorage, { kind, state }: Pick<TaskRow, 'kind' | 'state'>): void {
  if (kind === 'task' && state === 'waiting') return
  add(sql, 'task', 'waiting', -1)
  add(sql, kind, state, 1)
}

/** Counts `n` rows whose state has changed. */
export function countMoved(sql: SqlStorage, kind: Kind, [from, to]: [State, State], n = 1): void {
  if (from === to) return
  add(sql, kind, from, -n)
  add(sql, kind, to, n)
}

/** Counts rows that were deleted. */
export function countDeleted(sql: SqlStorage, rows: Pick<TaskRow, 'kind' | 'state'>[]): void {
  for (const [kind, those] of Map.groupBy(rows, ({ kind }) => kind))
    for (const [state, same] of Map.groupBy(those, ({ state }) => state)) add(sql, kind, state, -same.length)
}

/** How many rows there are of some kinds and states. */
export function countOf(
  sql: SqlStorage,
  { kinds, states }: { kinds: readonly Kind[]; states?: readonly State[] },
): number {
  const rows = sql.exec<{ kind: Kind; state: State; n: number }>('SELECT kind, state, n FROM counts').toArray()
  const counted = rows.filter(({ kind, state }) => kinds.includes(kind) && (!states || states.includes(state)))
  const sum = counted.reduce((sum, { n }) => sum + n, 0)
  const isWithNew = kinds.includes('task') && (!states || states.includes('waiting'))
  return isWithNew ? sum + inserted(sql) : sum
}

/** How many rows were ever inserted. */
function inserted(sql: SqlStorage): number {
  const [row] = sql.exec<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'tasks'`)
  return row?.seq ?? 0
}
