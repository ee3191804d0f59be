// Lists the tasks that match a filter, with indexes, and in steps, so that a long list does not block the backlog.
import type { TaskFilter } from './contract.ts'
import { countOf } from './counts.ts'
import { lightColumns, type TaskRow } from './tables.ts'

/** Index entries read per step. Between two steps the object handles other work. */
const stepRows = 5_000

/** Rows read per step. Few, since SQLite reads the body, up to a megabyte, to get at the columns stored after it. */
const rowsPerRead = 20

/** Position of a row in a sort order: its time, and its id, since rows may have the same time. */
type Position = [at: number, id: number]

/** A sort order of lists, which an index supports. */
interface Order {
  at: string
  direction: 'ASC' | 'DESC'
  /** Conditions for the rows after a position: two index ranges, since rows may have the same time. */
  after: string[]
  start: Position
}

const newestFirst: Order = {
  ...{ at: 'id', direction: 'DESC', after: ['?1 IS NOT NULL AND id < ?2'] },
  start: [0, Number.MAX_SAFE_INTEGER],
}
const firstDueFirst: Order = {
  ...{ at: 'due_at', direction: 'ASC', after: ['due_at = ?1 AND id > ?2', 'due_at > ?1'] },
  start: [Number.MIN_SAFE_INTEGER, 0],
}
const lastEndedFirst: Order = {
  ...{ at: 'ended_at', direction: 'DESC', after: ['ended_at = ?1 AND id < ?2', 'ended_at < ?1'] },
  start: [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
}

/** Query plan of a list: the index ranges to merge, their order, and the filter that no index covers. */
interface Path {
  ranges: string[]
  order: Order
  filter: string
  params: string[]
}

type ListRequest = Omit<TaskFilter, 'worker'>

/** `state` and `kind` are enums, so they are safe in SQL text. SQLite uses a partial index only if the query repeats its condition verbatim. */
function pathOf({ state, kind, schedule }: Pick<ListRequest, 'state' | 'kind' | 'schedule'>): Path {
  const filter = `${kind ? `kind = '${kind}'` : `kind <> 'piece'`}${state ? ` AND state = '${state}'` : ''}`
  const path = (order: Order, ...ranges: string[]): Path => ({ ranges, order, filter, params: [] })
  if (schedule)
    return {
      ...path(newestFirst, 'INDEXED BY tasks_schedule WHERE schedule IS NOT NULL AND schedule = ?3'),
      params: [schedule],
    }
  if (kind === 'fraction') return path(newestFirst, `INDEXED BY tasks_fractions WHERE kind = 'fraction'`)
  if (state === undefined) return path(newestFirst, 'NOT INDEXED WHERE true')
  if (state === 'waiting')
    return path(
      firstDueFirst,
      `INDEXED BY tasks_waiting WHERE state = 'waiting' AND key IS NULL`,
      `INDEXED BY tasks_keyed WHERE state = 'waiting' AND key IS NOT NULL`,
    )
  if (state === 'running') return path(newestFirst, `INDEXED BY tasks_running WHERE state = 'running'`)
  return path(lastEndedFirst, `INDEXED BY tasks_ended WHERE state = '${state}' AND ended_at IS NOT NULL`)
}

/** SQL for the rows of one step: those after a position, in the order of the path. */
function stepOf({ ranges, order: { at, direction, after } }: Path, columns: string): string {
  const selected = ranges.flatMap((range) => after.map((part) => `SELECT ${columns} FROM tasks ${range} AND ${part}`))
  return `${selected.join(' UNION ALL ')} ORDER BY ${at} ${direction}, id ${direction} LIMIT ${stepRows}`
}

/** Waits, so that the durable object handles other work. */
export type Pause = () => Promise<unknown>
const pauseOnce: Pause = () => scheduler.wait(1)

/**
 * Lists tasks and fractions: waiting ones by due time, ended ones of one state most recently ended first, others newest first.
 * Reads in steps, so that an offset of millions does not block the daemons.
 */
export async function listRows(
  sql: SqlStorage,
  { limit, offset, count, ...filter }: ListRequest,
  pause = pauseOnce,
): Promise<{ rows: TaskRow[]; nb_results?: number }> {
  const path = pathOf(filter)
  const rows = await readPage(sql, path, { limit, offset }, pause)
  return count ? { rows, nb_results: await countRows(sql, filter, pause) } : { rows }
}

async function readPage(
  sql: SqlStorage,
  path: Path,
  { limit, offset }: { limit: number; offset: number },
  pause: Pause,
): Promise<TaskRow[]> {
  const ids: number[] = []
  let skip = offset
  for (let after: Position | undefined = path.order.start; after; after = lastOf(sql, path, after)) {
    if (after !== path.order.start) await pause()
    const matches = skip > 0 ? matchesIn(sql, path, after) : 0
    if (skip > 0 && matches <= skip) {
      skip -= matches
      continue
    }
    const page = `SELECT id FROM (${stepOf(path, narrowOf(path))}) WHERE ${path.filter} LIMIT ? OFFSET ?`
    const found = sql.exec<{ id: number }>(page, ...after, ...path.params, limit - ids.length, skip)
    ids.push(...found.toArray().map(({ id }) => id))
    skip = 0
    if (ids.length === limit) break
  }
  return readRows(sql, ids, pause)
}

/** Reads rows by id, without those that were deleted meanwhile. */
async function readRows(sql: SqlStorage, ids: number[], pause: Pause): Promise<TaskRow[]> {
  const rows: TaskRow[] = []
  for (let at = 0; at < ids.length; at += rowsPerRead) {
    if (at > 0) await pause()
    for (const id of ids.slice(at, at + rowsPerRead))
      rows.push(...sql.exec<TaskRow>(`SELECT ${lightColumns} FROM tasks WHERE id = ?`, id))
  }
  return rows
}

/** Columns for filters. All are in an index or stored before the body, so that SQLite need not read the body of a skipped row. */
const narrowOf = ({ order }: Path) => `id, ${order.at}, kind, state`

/** Number of tasks that match a filter: from the stored counts, or counted in steps if the filter names a schedule. */
async function countRows(
  sql: SqlStorage,
  request: Pick<ListRequest, 'state' | 'kind' | 'schedule'>,
  pause: Pause,
): Promise<number> {
  const { state, kind, schedule } = request
  if (!schedule) return countOf(sql, { kinds: kind ? [kind] : ['task', 'fraction'], ...(state && { states: [state] }) })
  const path = pathOf(request)
  let total = 0
  for (let after: Position | undefined = path.order.start; after; after = lastOf(sql, path, after)) {
    total += matchesIn(sql, path, after)
    await pause()
  }
  return total
}

const matchesIn = (sql: SqlStorage, path: Path, after: Position): number =>
  sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM (${stepOf(path, narrowOf(path))}) WHERE ${path.filter}`,
      ...after,
      ...path.params,
    )
    .one().n

/** Position of the last row of a full step; undefined if this was the last step. */
function lastOf(sql: SqlStorage, path: Path, after: Position): Position | undefined {
  const step = stepOf(path, `${path.order.at} AS at, id`)
  const [last] = sql.exec<{ at: number; id: number }>(
    `SELECT * FROM (${step}) LIMIT 1 OFFSET ${stepRows - 1}`,
    ...after,
    ...path.params,
  )
  return last && [last.at, last.id]
}
