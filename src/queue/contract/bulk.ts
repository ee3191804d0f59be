// Schemas of the operations on many tasks: creating them, and retrying, canceling or deleting those that match a filter.
import * as z from 'zod'
import { text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { NewTask, TaskState } from '../contract.ts'
import { Label, WorkerName } from './fields.ts'

const maxTasks = 1_000

const worker = WorkerName.optional()

export const NewTasks = z.object({
  worker: worker.describe(
    'Name of the worker. Default: `worker` of the tasks, which must then be the same in all of them',
  ),
  tasks: z
    .array(NewTask.omit({ schedule: true, cron: true, timezone: true }).extend({ worker }).strict())
    .min(1)
    .max(maxTasks)
    .describe('1 to 1000 tasks, with the parameters of `POST /task` except those of schedules'),
})
export type NewTasks = z.output<typeof NewTasks>

/** The filter of the operations on many tasks. */
export const BulkFilter = z.object({
  worker: WorkerName,
  state: TaskState.optional().describe('Only tasks in this state. Default: all states that the operation applies to'),
  key: text(255).min(1).optional().describe('Only tasks with this flow key. Default: all'),
  label: Label.optional().describe('Only tasks with this label. Default: all'),
  from: Time.optional().describe('Only tasks that were created at this time (UTC) or later. Default: no limit'),
  to: Time.optional().describe('Only tasks that were created before this time (UTC). Default: no limit'),
  dry_run: z.boolean().default(false).describe('Whether to return the number of matching tasks, and to change none'),
})
export type BulkFilter = z.output<typeof BulkFilter>

const Id = z.string().describe('Id of the operation')

export const bulkReply = {
  operation: z
    .object({ id: Id })
    .optional()
    .describe('The operation, which runs in the background; absent with `dry_run`'),
  count: z.int().optional().describe('Number of matching tasks; present with `dry_run` only'),
}

export const OperationOf = z.object({
  id: text(100).describe('Id of the operation, as the call that began it returned it'),
})

export const BulkOperation = z.object({
  id: Id,
  action: z.enum(['retry', 'cancel', 'delete']).describe('The change that the operation makes'),
  state: z
    .enum(['running', 'done', 'failed'])
    .describe(
      'running: in progress, or waiting for earlier operations of its worker. failed: ended by an internal error',
    ),
  matched: z.int().describe('Number of matching tasks found so far'),
  done: z
    .int()
    .describe(
      'Number of tasks changed so far. Less than `matched` if tasks had ended or changed meanwhile, or cannot be retried, since they had secrets',
    ),
  created_at: Time.describe('When the operation began; UTC'),
  ended_at: Time.nullable().describe('When the operation ended; null if it has not'),
})
export type BulkOperation = z.output<typeof BulkOperation>
