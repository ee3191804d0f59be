// Calls that involve all shards of a worker: adds tasks to the shard of their key, and merges the lists of all shards.
import { invalid } from '#core/failure'
import { backlogsOf, onShard, requireWorker } from './backlogs.ts'
import type { Env } from './bindings.ts'
import type { Schedule } from './contract/schedules.ts'
import type { Task, TaskFilter } from './contract.ts'
import { missing } from './errors.ts'
import type { NewSchedule } from './schedules.ts'
import type { TaskRow } from './tables.ts'
import { formatTaskId } from './task-id.ts'
import type { TaskRecord } from './task-record.ts'
import { pathOf, type ScanFilter } from './task-scan.ts'
import { scheduleOf, taskOf } from './view.ts'

/** Adds a task to the shard of its key, once per idempotency key. Returns its id. */
export const addTask = (
  env: Env,
  worker: string,
  record: TaskRecord,
  idempotencyKey: string | undefined,
): Promise<string> =>
  onShard(env, placeOf(worker, record, idempotencyKey), async (backlog, { shard, shards }) =>
    formatTaskId({ worker, shard, number: await backlog.addTask(record, shards, idempotencyKey) }),
  )

/** Adds a fraction to the shard of its key, once per idempotency key. Returns its id. */
export const addFraction = (
  env: Env,
  worker: string,
  record: TaskRecord,
  range: { min: number; max: number; gap: number },
  idempotencyKey: string | undefined,
): Promise<string> =>
  onShard(env, placeOf(worker, record, idempotencyKey), async (backlog, { shard, shards }) =>
    formatTaskId({ worker, shard, number: await backlog.addFraction(record, range, shards, idempotencyKey) }),
  )

/** The shard of a task without a flow key is that of its idempotency key, so that a repeated call finds the task; else a random one. */
const placeOf = (worker: string, { key }: TaskRecord, idempotencyKey: string | undefined) => ({
  worker,
  key: key ?? idempotencyKey,
})

/** Creates a schedule in the shard of its key, or replaces the one of that name in all shards. */
export async function putSchedule(env: Env, worker: string, { record, ...schedule }: NewSchedule): Promise<Schedule> {
  const { name } = schedule
  return onShard(env, { worker, key: record.key ?? name }, async (backlog, { shard, shards }) => {
    const row = await backlog.setSchedule({ ...schedule, record: { ...record, request_id: null } }, shards)
    if (shards > 1) {
      const others = backlogsOf(env, await requireWorker(env, worker)).filter((other) => other.shard !== shard)
      await Promise.all(others.map((other) => other.backlog.deleteSchedule(name)))
    }
    return scheduleOf({ worker, shard }, row)
  })
}

/** All schedules of a worker, sorted by name. */
export async function listSchedules(env: Env, worker: string): Promise<Schedule[]> {
  const backlogs = backlogsOf(env, await requireWorker(env, worker, true))
  const lists = await Promise.all(
    backlogs.map(async ({ shard, backlog }) =>
      (await backlog.listSchedules()).map((row) => scheduleOf({ worker, shard }, row)),
    ),
  )
  return lists.flat().sort((one, other) => (one.name < other.name ? -1 : 1))
}

interface NamedSchedule {
  worker: string
  name: string
}

/** Pauses or resumes a schedule; 404 if the worker has none of the name. */
export async function pauseSchedule(env: Env, { worker, name }: NamedSchedule, isPaused: boolean): Promise<Schedule> {
  for (const { shard, backlog } of backlogsOf(env, await requireWorker(env, worker, true))) {
    const row = await backlog.pauseSchedule(name, isPaused)
    if (row) return scheduleOf({ worker, shard }, row)
  }
  throw missing('schedule', { name })
}

/** Creates the task of a schedule now, and returns its id; 404 if the worker has no schedule of the name. */
export async function runSchedule(env: Env, { worker, name }: NamedSchedule): Promise<string> {
  for (const { shard, backlog } of backlogsOf(env, await requireWorker(env, worker, true))) {
    const number = await backlog.runSchedule(name)
    if (number !== undefined) return formatTaskId({ worker, shard, number })
  }
  throw missing('schedule', { name })
}

/** Deletes a schedule; 404 if the worker has none of the name. */
export async function deleteSchedule(env: Env, { worker, name }: NamedSchedule): Promise<void> {
  const backlogs = backlogsOf(env, await requireWorker(env, worker, true))
  const deleted = await Promise.all(backlogs.map(({ backlog }) => backlog.deleteSchedule(name)))
  if (!deleted.includes(true)) throw missing('schedule', { name })
}

/** A page of the tasks of a worker. */
interface TaskPage {
  tasks: Task[]
  nb_results?: number
  next?: NonNullable<TaskFilter['after']>
}

/** A page of the tasks of a worker, merged from its shards. */
export async function listTasks(env: Env, { worker, after = [], ...request }: TaskFilter): Promise<TaskPage> {
  const backlogs = backlogsOf(env, await requireWorker(env, worker, true))
  const one = backlogs.length === 1 ? backlogs[0] : undefined
  if (one) {
    const { rows, next, ...page } = await one.backlog.list({ ...request, after: after[0] ?? undefined })
    const tasks = rows.map((row) => taskOf({ worker, shard: 0 }, row))
    return { tasks, ...page, ...(next && { next: [next] }) }
  }
  if (request.offset > 0) throw invalid('offset', 'offset must be 0 for a worker with shards. Use the cursor `after`')
  const limit = Math.min(request.limit, Math.ceil((2 * request.limit) / backlogs.length) + minRowsPerShard)
  const lists = await Promise.all(
    backlogs.map(async ({ shard, backlog }): Promise<ShardList> => {
      const position = after[shard]
      if (position === null) return { shard, rows: [], position, next: undefined }
      return { shard, position, next: undefined, ...(await backlog.list({ ...request, limit, after: position })) }
    }),
  )
  const { tasks, next } = mergeLists(worker, lists, request)
  const total = lists.reduce((sum, { nb_results = 0 }) => sum + nb_results, 0)
  return { tasks, ...(request.count && { nb_results: total }), ...(next.some((at) => at !== null) && { next }) }
}

/** Rows that are read from each shard for a page, in addition to its share of twice the page. */
const minRowsPerShard = 16

type Cursor = NonNullable<TaskFilter['after']>[number]

/** The next tasks of one shard. */
interface ShardList {
  shard: number
  rows: TaskRow[]
  nb_results?: number
  /** Where the list began; undefined for its start, null if all tasks were listed before. */
  position: Cursor | undefined
  /** Where it continues; undefined if it ends here. */
  next: Cursor | undefined
}

/** Merges the lists of shards in their common order, until a shard with more tasks has no row left. */
function mergeLists(worker: string, lists: ShardList[], request: Pick<TaskFilter, 'limit'> & ScanFilter) {
  const { at, direction } = pathOf(request).order
  const column = at === 'due_at' || at === 'ended_at' ? at : 'created_at'
  const sign = direction === 'ASC' ? 1 : -1
  const used = lists.map(() => 0)
  const tasks: Task[] = []
  while (tasks.length < request.limit) {
    if (lists.some(({ rows, next }, shard) => next !== undefined && used[shard] === rows.length)) break
    const heads = lists.flatMap(({ rows }, shard) => {
      const row = rows[used[shard]!]
      return row ? [{ shard, row, at: sign * (row[column] ?? 0) }] : []
    })
    if (heads.length === 0) break
    const { shard, row } = heads.reduce((first, head) => (head.at < first.at ? head : first))
    used[shard]!++
    tasks.push(taskOf({ worker, shard }, row))
  }
  const next = lists.map(({ rows, position, next }, shard): Cursor => {
    if (used[shard] === rows.length) return next ?? null
    const last = rows[used[shard]! - 1]
    if (!last) return position ?? startOf(request)
    return { at: at === column ? last[column]! : last.id, id: last.id }
  })
  return { tasks, next }
}

function startOf(filter: ScanFilter): Cursor {
  const [at, id] = pathOf(filter).order.start
  return { at, id }
}
