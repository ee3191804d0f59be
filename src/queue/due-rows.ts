// Queries of due tasks by flow, all by indexes.
import { lightColumns, type TaskRow } from './tables.ts'

/** Migration that adds the flow key, an index of the waiting tasks of each key by due time, and an index of those of all keys. */
export const addFlowKey = `
ALTER TABLE tasks ADD COLUMN key TEXT;
DROP INDEX tasks_waiting;
CREATE INDEX tasks_waiting ON tasks (key, due_at, id) WHERE state = 'waiting';
CREATE INDEX tasks_keyed ON tasks (due_at, id, key) WHERE state = 'waiting' AND key IS NOT NULL;
`

/**
 * Migration that adds the priority, NULL for the default one. A task without key and priority has one index entry while it waits, any
 * other task two.
 */
export const addPriority = `
ALTER TABLE tasks ADD COLUMN priority INTEGER;
DROP INDEX tasks_waiting;
CREATE INDEX tasks_waiting ON tasks (priority, key, due_at, id) WHERE state = 'waiting';
DROP INDEX tasks_keyed;
CREATE INDEX tasks_flows ON tasks (due_at, id, key, priority)
  WHERE state = 'waiting' AND (key IS NOT NULL OR priority IS NOT NULL);
`

/** The two index ranges that together have all waiting tasks by due time: plain ones, and those with a key or a priority. */
export const plainRange = `tasks INDEXED BY tasks_waiting WHERE state = 'waiting' AND priority IS NULL AND key IS NULL`
export const flowsRange = `tasks INDEXED BY tasks_flows WHERE state = 'waiting' AND (key IS NOT NULL OR priority IS NOT NULL)`

/** A position in the order of due tasks. */
export type DuePosition = { due_at: number; id: number }

export const firstPosition: DuePosition = { due_at: Number.MIN_SAFE_INTEGER, id: 0 }

export const isAfter = (one: DuePosition, other: DuePosition) =>
  one.due_at > other.due_at || (one.due_at === other.due_at && one.id > other.id)

/**
 * SQL for the rows of an index after the position (`?1`, `?2`) that are due by `?3`, in the order of the queue. The rows with the
 * same due time are a range of their index: for a comparison of pairs, `(due_at, id) > (?1, ?2)`, SQLite would not use the id in it.
 */
const rowsAfter = (columns: string, range: string) =>
  `SELECT ${columns} FROM ${range} AND due_at = ?1 AND id > ?2 AND ?1 <= ?3
   UNION ALL SELECT ${columns} FROM ${range} AND due_at > ?1 AND due_at <= ?3 ORDER BY due_at, id`

interface DueRequest {
  key: string | null
  priority: number | null
  after: DuePosition
  limit: number
}

/** The first due rows of a key and a priority after a position, in the order of the queue. */
export const dueRows = (sql: SqlStorage, { key, priority, after, limit }: DueRequest, now: number): TaskRow[] =>
  sql
    .exec<TaskRow>(
      `${rowsAfter(lightColumns, `tasks INDEXED BY tasks_waiting WHERE state = 'waiting' AND priority IS ?5 AND key IS ?6`)} LIMIT ?4`,
      after.due_at,
      after.id,
      now,
      limit,
      priority,
      key,
    )
    .toArray()

type FlowRow = DuePosition & Pick<TaskRow, 'key' | 'priority'>

/** The first due rows with a key or a priority after a position. */
export const dueFlows = (sql: SqlStorage, after: DuePosition, now: number, limit: number): FlowRow[] =>
  sql
    .exec<FlowRow>(`${rowsAfter('due_at, id, key, priority', flowsRange)} LIMIT ?4`, after.due_at, after.id, now, limit)
    .toArray()

/** Due time of the first waiting task without key and priority; infinite if there is none. */
export function nextPlainDue(sql: SqlStorage): number {
  const { at } = sql.exec<{ at: number | null }>(`SELECT min(due_at) AS at FROM ${plainRange}`).one()
  return at ?? Number.POSITIVE_INFINITY
}

/** Due time of the first waiting task with a key or a priority after a position; infinite if there is none. */
export function nextFlowDue(sql: SqlStorage, after: DuePosition): number {
  const [first] = dueFlows(sql, after, Number.MAX_SAFE_INTEGER, 1)
  return first?.due_at ?? Number.POSITIVE_INFINITY
}

/** The priorities other than the default one that waiting tasks have. */
export function usedPriorities(sql: SqlStorage): number[] {
  const found: number[] = []
  for (let last = -1; ; last = found.at(-1)!) {
    const [next] = sql.exec<{ priority: number }>(
      `SELECT priority FROM tasks INDEXED BY tasks_waiting WHERE state = 'waiting' AND priority > ? ORDER BY priority LIMIT 1`,
      last,
    )
    if (!next) return found
    found.push(next.priority)
  }
}

/** The first key after another one that waiting tasks of a priority have. Jumps, so that the tasks of a key are not read. */
export function keyAfter(sql: SqlStorage, priority: number | null, key: string): string | undefined {
  const [next] = sql.exec<{ key: string }>(
    `SELECT key FROM tasks INDEXED BY tasks_waiting WHERE state = 'waiting' AND priority IS ? AND key > ? ORDER BY key LIMIT 1`,
    priority,
    key,
  )
  return next?.key
}

/** A task that has not ended; undefined if it has. */
export const openRow = (sql: SqlStorage, id: number): TaskRow | undefined =>
  sql
    .exec<TaskRow>(`SELECT ${lightColumns} FROM tasks WHERE id = ? AND state IN ('waiting', 'running')`, id)
    .toArray()[0]
