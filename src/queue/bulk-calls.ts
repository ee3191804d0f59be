// Calls on many tasks of a worker, in all its shards.
import { invalid } from '#core/failure'
import { backlogsOf, findWorker, onShard, requireWorker } from './backlogs.ts'
import type { Env } from './bindings.ts'
import type { BulkAction, OperationRow } from './bulk-operations.ts'
import type { BulkOperation } from './contract/bulk.ts'
import { missing } from './errors.ts'
import { formatOperationId, formatTaskId, parseOperationId } from './task-id.ts'
import type { TaskRecord } from './task-record.ts'
import type { ScanFilter } from './task-scan.ts'

/**
 * Adds tasks to one shard in one transaction, once per idempotency key. Returns their ids. 400 if the worker has shards and the tasks
 * have different keys, since no transaction includes several shards.
 */
export async function addTasks(
  env: Env,
  worker: string,
  records: TaskRecord[],
  idempotencyKey: string | undefined,
): Promise<string[]> {
  const keys = new Set(records.map(({ key }) => key))
  const key = records[0]?.key ?? idempotencyKey
  return onShard(env, { worker, key }, async (backlog, { shard, shards }) => {
    if (shards > 1 && keys.size > 1) throw invalid('tasks', 'Must all have the same key in a worker with shards')
    const first = await backlog.addTasks(records, shards, idempotencyKey)
    return records.map((_, n) => formatTaskId({ worker, shard, number: first + n }))
  })
}

/** Begins an operation in all shards of a worker. Returns its id. */
export async function beginOperation(
  env: Env,
  worker: string,
  action: BulkAction,
  filter: ScanFilter,
): Promise<string> {
  const backlogs = backlogsOf(env, await requireWorker(env, worker, true))
  const name = crypto.randomUUID()
  await Promise.all(backlogs.map(({ backlog }) => backlog.beginOperation(name, action, filter)))
  return formatOperationId({ worker, name })
}

/** Number of the tasks of a worker that an operation would match. */
export async function countTasks(env: Env, worker: string, action: BulkAction, filter: ScanFilter): Promise<number> {
  const backlogs = backlogsOf(env, await requireWorker(env, worker, true))
  const counts = await Promise.all(backlogs.map(({ backlog }) => backlog.countMatches(action, filter)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The progress of an operation in all shards of its worker. 404 if there is none. */
export async function readOperation(env: Env, id: string): Promise<BulkOperation> {
  const parts = parseOperationId(id)
  const worker = parts && (await findWorker(env, parts.worker, true))
  if (!worker) throw missing('operation', { id })
  const found = await Promise.all(backlogsOf(env, worker).map(({ backlog }) => backlog.operation(parts.name)))
  const rows: OperationRow[] = found.flatMap((row) => row ?? [])
  if (rows.length === 0) throw missing('operation', { id })
  return sumOf(id, rows)
}

function sumOf(id: string, rows: OperationRow[]): BulkOperation {
  const sum = (value: (row: OperationRow) => number) => rows.reduce((sum, row) => sum + value(row), 0)
  const isRunning = rows.some(({ state }) => state === 'running')
  const hasFailed = rows.some(({ state }) => state === 'failed')
  return {
    id,
    action: rows[0]!.action,
    state: isRunning ? 'running' : hasFailed ? 'failed' : 'done',
    matched: sum(({ matched }) => matched),
    done: sum(({ done }) => done),
    created_at: new Date(Math.min(...rows.map(({ created_at }) => created_at))),
    ended_at: isRunning ? null : new Date(Math.max(...rows.map(({ ended_at }) => ended_at ?? 0))),
  }
}
