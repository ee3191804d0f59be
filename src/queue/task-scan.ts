// Scans the tasks that match a filter in bounded steps, each by an index, from a position that can be stored.
import type { TaskFilter } from './contract.ts'
import { flowsRange, plainRange } from './due-rows.ts'

/** ScanPosition of a row in a sort order: its time, and its id, since rows may have the same time. */
export type ScanPosition = [at: number, id: number]

/** A sort order, which an index supports. */
interface Order {
  at: string
  id: string
  direction: 'ASC' | 'DESC'
  /** Conditions for the rows after a position: two index ranges, since rows may have the same time. */
  after: string[]
  start: ScanPosition
}

const newestFirst: Order = {
  ...{ at: 'id', id: 'id', direction: 'DESC', after: ['?1 IS NOT NULL AND id < ?2'] },
  start: [0, Number.MAX_SAFE_INTEGER],
}
const newestLabelFirst: Order = { ...newestFirst, id: 'task', at: 'task', after: ['?1 IS NOT NULL AND task < ?2'] }
const firstDueFirst: Order = {
  ...{ at: 'due_at', id: 'id', direction: 'ASC', after: ['due_at = ?1 AND id > ?2', 'due_at > ?1'] },
  start: [Number.MIN_SAFE_INTEGER, 0],
}
const lastEndedFirst: Order = {
  ...{ at: 'ended_at', id: 'id', direction: 'DESC', after: ['ended_at = ?1 AND id < ?2', 'ended_at < ?1'] },
  start: [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
}

/** Query plan of a scan: the index ranges to merge, their order, and the filter that no index covers. */
export interface ScanPath {
  ranges: string[]
  order: Order
  filter: string
  /** Values of `?3` and the following parameters. */
  params: (string | number)[]
  stepRows: number
  columns: string
}

export type ScanFilter = Partial<Pick<TaskFilter, 'state' | 'kind' | 'schedule' | 'key' | 'label'>> & {
  /** Created at or after, and before, in milliseconds since 1970. */
  from?: number | undefined
  to?: number | undefined
}

/**
 * Index entries read per step. Between two steps the object handles other work. Fewer if the filter reads columns that are stored
 * after the body, since SQLite then reads the body of each row, too.
 */
const narrowStepRows = 5_000
const wideStepRows = 250

/** `state` and `kind` are enums, so they are safe in SQL text. SQLite uses a partial index only if the query repeats its condition verbatim. */
export function pathOf({ state, kind, schedule, key, label, from, to }: ScanFilter): ScanPath {
  const params: (string | number)[] = []
  const bind = (value: string | number) => `?${params.push(value) + 2}`
  const { ranges, order } = rangesOf({ state, kind, schedule, key, label }, bind)
  const columns = ['kind', 'state']
  const filters = [kind ? `kind = '${kind}'` : `kind <> 'piece'`, ...(state ? [`state = '${state}'`] : [])]
  const require = (column: string, condition: string) => {
    if (!columns.includes(column)) columns.push(column)
    filters.push(`${column} ${condition}`)
  }
  if (schedule !== undefined && !ranges[0]!.includes('tasks_schedule')) require('schedule', `= ${bind(schedule)}`)
  if (key !== undefined) require('key', `= ${bind(key)}`)
  if (from !== undefined) require('created_at', `>= ${bind(from)}`)
  if (to !== undefined) require('created_at', `< ${bind(to)}`)
  const stepRows = columns.length > 2 ? wideStepRows : narrowStepRows
  return { ranges, order, filter: filters.join(' AND '), params, stepRows, columns: columns.join(', ') }
}

/** The index ranges that have all matching rows, and their order. */
function rangesOf(
  { state, kind, schedule, key, label }: ScanFilter,
  bind: (value: string) => string,
): Pick<ScanPath, 'ranges' | 'order'> {
  if (label !== undefined)
    return {
      order: newestLabelFirst,
      ranges: [`task_labels CROSS JOIN tasks ON id = task WHERE label = ${bind(label)}`],
    }
  if (schedule !== undefined)
    return {
      order: newestFirst,
      ranges: [`tasks INDEXED BY tasks_schedule WHERE schedule IS NOT NULL AND schedule = ${bind(schedule)}`],
    }
  if (kind === 'fraction')
    return { order: newestFirst, ranges: [`tasks INDEXED BY tasks_fractions WHERE kind = 'fraction'`] }
  if (state === undefined) return { order: newestFirst, ranges: ['tasks NOT INDEXED WHERE true'] }
  if (state === 'waiting' && key !== undefined)
    return {
      order: firstDueFirst,
      ranges: [
        `tasks INDEXED BY tasks_waiting WHERE state = 'waiting' AND priority IS NULL AND key = ${bind(key)}`,
        `${flowsRange} AND priority IS NOT NULL`,
      ],
    }
  if (state === 'waiting')
    return {
      order: firstDueFirst,
      ranges: [plainRange, flowsRange],
    }
  if (state === 'running')
    return { order: newestFirst, ranges: [`tasks INDEXED BY tasks_running WHERE state = 'running'`] }
  return {
    order: lastEndedFirst,
    ranges: [`tasks INDEXED BY tasks_ended WHERE state = '${state}' AND ended_at IS NOT NULL`],
  }
}

/** SQL for the rows of one step: those after a position, in the order of the path. */
function stepOf({ ranges, order, stepRows }: ScanPath, columns: string): string {
  const { at, id, direction, after } = order
  const selected = ranges.flatMap((range) => after.map((part) => `SELECT ${columns} FROM ${range} AND ${part}`))
  const sorted = at === id ? `${id} ${direction}` : `${at} ${direction}, ${id} ${direction}`
  return `${selected.join(' UNION ALL ')} ORDER BY ${sorted} LIMIT ${stepRows}`
}

/** A row that a scan has found. */
export type Match = { id: number; at: number }

/** The position of a match, after which the scan continues. */
export const positionOf = ({ at, id }: Match): ScanPosition => [at, id]

/** The columns of a step: those of the position, and those of the filter. */
const columnsOf = ({ order: { at, id }, columns }: ScanPath) =>
  `${id === 'id' ? 'id' : `${id} AS id`}, ${at} AS at, ${columns}`

/** The matches of the step after a position. */
export const readStep = (
  sql: SqlStorage,
  path: ScanPath,
  after: ScanPosition,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Match[] =>
  sql
    .exec<Match>(
      `SELECT id, at FROM (${stepOf(path, columnsOf(path))}) WHERE ${path.filter} LIMIT ? OFFSET ?`,
      ...after,
      ...path.params,
      limit,
      offset,
    )
    .toArray()

/** Number of matches of the step after a position. */
export const countStep = (sql: SqlStorage, path: ScanPath, after: ScanPosition): number =>
  sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM (${stepOf(path, columnsOf(path))}) WHERE ${path.filter}`,
      ...after,
      ...path.params,
    )
    .one().n

/** ScanPosition of the last row of a full step; undefined if this was the last step. */
export function lastOf(sql: SqlStorage, path: ScanPath, after: ScanPosition): ScanPosition | undefined {
  const { at, id } = path.order
  const [last] = sql.exec<Match>(
    `SELECT * FROM (${stepOf(path, `${id} AS id, ${at} AS at`)}) LIMIT 1 OFFSET ${path.stepRows - 1}`,
    ...after,
    ...path.params.slice(0, boundIn(path)),
  )
  return last && positionOf(last)
}

/** Number of parameters in the ranges. SQLite refuses values without a parameter. */
const boundIn = ({ ranges }: ScanPath) => (ranges[0]!.includes('?3') ? 1 : 0)
