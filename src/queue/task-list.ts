// Lists the tasks that match a filter, with indexes, and in steps, so that a long list does not block the backlog.
import type { TaskFilter } from './contract.ts'
import { countOf } from './counts.ts'
import { lightColumns, type TaskRow } from './tables.ts'
import {
  countStep,
  lastOf,
  type Match,
  pathOf,
  positionOf,
  readStep,
  type ScanFilter,
  type ScanPath,
  type ScanPosition,
} from './task-scan.ts'

/** A list of one shard, after a position. */
export type ListRequest = Omit<TaskFilter, 'worker' | 'after'> & { after?: Match | undefined }

/** Rows read per step. Few, since SQLite reads the body, up to a megabyte, to get at the columns stored after it. */
const rowsPerRead = 20

/** Steps after which a page ends, although it has fewer rows than its limit: its cursor continues the search. */
const maxSteps = 200

/** Waits, so that the durable object handles other work. */
export type Pause = () => Promise<unknown>
const pauseOnce: Pause = () => scheduler.wait(1)

/** A page of tasks. */
interface TaskPage {
  rows: TaskRow[]
  nb_results?: number
  /** The cursor of the next page, if there may be one. */
  next?: Match
}

/**
 * Lists tasks and fractions: waiting ones by due time, ended ones of one state most recently ended first, others newest first.
 * Reads in steps, so that a long list does not block the daemons.
 */
export async function listRows(
  sql: SqlStorage,
  { limit, offset, count, after, ...filter }: ListRequest,
  pause = pauseOnce,
): Promise<TaskPage> {
  const path = pathOf(filter)
  const { ids, next } = await readPage(
    sql,
    path,
    { limit, offset, after: after ? positionOf(after) : path.order.start },
    pause,
  )
  const page = { rows: await readRows(sql, ids, pause), ...(next && { next: { at: next[0], id: next[1] } }) }
  return count ? { ...page, nb_results: await countRows(sql, filter, pause) } : page
}

async function readPage(
  sql: SqlStorage,
  path: ScanPath,
  { limit, offset, after }: { limit: number; offset: number; after: ScanPosition },
  pause: Pause,
): Promise<{ ids: number[]; next?: ScanPosition }> {
  const found: Match[] = []
  let skip = offset
  let position: ScanPosition | undefined = after
  for (let step = 0; position && step < maxSteps; step++, position = lastOf(sql, path, position)) {
    if (step > 0) await pause()
    const matches = skip > 0 ? countStep(sql, path, position) : 0
    if (skip > 0 && matches <= skip) {
      skip -= matches
      continue
    }
    found.push(...readStep(sql, path, position, { limit: limit - found.length, offset: skip }))
    skip = 0
    if (found.length < limit) continue
    position = positionOf(found.at(-1)!)
    break
  }
  return { ids: found.map(({ id }) => id), ...(position && { next: position }) }
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

/** Number of tasks that match a filter: from the stored counts if they have it, else counted in steps. */
export async function countRows(sql: SqlStorage, filter: ScanFilter, pause: Pause = pauseOnce): Promise<number> {
  const { state, kind, schedule, key, label, from, to } = filter
  if (!(schedule || key || label || from || to))
    return countOf(sql, { kinds: kind ? [kind] : ['task', 'fraction'], ...(state && { states: [state] }) })
  const path = pathOf(filter)
  let total = 0
  for (let after: ScanPosition | undefined = path.order.start; after; after = lastOf(sql, path, after)) {
    total += countStep(sql, path, after)
    await pause()
  }
  return total
}
