// Endpoints for many tasks at once: create them, and retry, cancel or delete those that match a filter.
import * as z from 'zod'
import { Failure, invalid, invalidParameters } from '#core/failure'
import type { ComponentApi } from '#core/http/api'
import type { UnvalidatedRequest } from '#core/http/declaration'
import { nameOf } from '#core/http/idempotency'
import { objectIn } from '#core/http/json'
import { reply } from '#core/http/reply'
import { requireWorker } from '../backlogs.ts'
import type { Env } from '../bindings.ts'
import { addTasks, beginOperation, countTasks, readOperation } from '../bulk-calls.ts'
import { appliesTo, type BulkAction } from '../bulk-operations.ts'
import * as wire from '../contract/bulk.ts'
import { Created } from '../contract.ts'
import type { errors } from '../errors.ts'
import { checkServiceCaller, taskRecordOf } from '../task-record.ts'

const maxBytes = 8_000_000

/** Adds the endpoints for many tasks to the API. */
export const withBulk = <Calls>(api: ComponentApi<Env, Calls, keyof typeof errors>) =>
  api
    .post(
      '/tasks',
      {
        level: 'write',
        summary: 'Create many tasks',
        description:
          'Creates up to 1000 tasks of one worker, with the parameters of `POST /task`: all of them, or none. In a worker with `shards`, all tasks of a call must have the same `key`, or none. The reply has their ids in the same order. The body may have 8 MB. With the header `Idempotency-Key` a repeated call returns the same tasks for 24 hours.',
        params: wire.NewTasks,
        bindable: ['worker'],
        bodyLimit: maxBytes,
        errors: ['queue_full', 'forbidden', 'worker_changing'],
        reply: { tasks: z.array(Created).describe('The created tasks, in the order of the parameters') },
        idempotent: 'from-point-of-no-return',
      },
      async (call) => {
        const { worker, records } = await recordsOf(call)
        const ids = await addTasks(call.env, worker, records, await nameOf(call))
        return { tasks: ids.map((id) => ({ id })) }
      },
    )

    .post(
      '/tasks/retry',
      {
        ...bulk('write'),
        summary: 'Retry the tasks that match a filter',
        description: `Makes the failed, lost and canceled tasks of a worker that match due now, as \`POST /task/retry\` does. Tasks with \`secret_headers\` or a \`confidential\` body match, but stay unchanged. ${inBackground}`,
      },
      async (call) => begin('retry', call),
    )

    .post(
      '/tasks/cancel',
      {
        ...bulk('write'),
        summary: 'Cancel the tasks that match a filter',
        description: `Cancels the waiting and running tasks of a worker that match, as \`DELETE /task\` does: a request that is being sent ends by itself. ${inBackground}`,
      },
      async (call) => begin('cancel', call),
    )

    .post(
      '/tasks/delete',
      {
        ...bulk('manage'),
        summary: 'Delete the ended tasks that match a filter',
        description: `Deletes the tasks of a worker that have ended and match, with their attempts. Cancel tasks that wait or run before. ${inBackground}`,
      },
      async (call) => begin('delete', call),
    )

    .get(
      '/operation',
      {
        level: 'read',
        summary: 'Get the progress of an operation',
        description:
          'Returns the state of an operation on many tasks, and the number of tasks that it has found and changed. A worker keeps its last 1000 operations.',
        params: wire.OperationOf,
        errors: ['operation_not_found'],
        reply: { operation: wire.BulkOperation.describe('The operation') },
      },
      async ({ env, params }) => ({ operation: await readOperation(env, params.id) }),
    )

/** The common part of the declarations of the operations on many tasks. */
const bulk = (level: 'write' | 'manage') => ({
  level,
  params: wire.BulkFilter,
  bindable: ['worker'],
  errors: ['too_many_operations'] as const,
  status: 202 as const,
  reply: wire.bulkReply,
  replies: {
    200: { description: 'With `dry_run`: the number of matching tasks' },
    202: { description: 'The operation has begun' },
  },
  idempotent: 'from-point-of-no-return' as const,
})

const inBackground =
  'The call begins an operation in the background, whose progress `GET /operation` returns; tasks that are created later do not match. An operation continues after a restart. Operations of a worker run one after the other. With `dry_run` the reply is 200 with the number of matching tasks, and nothing is changed.'

type Call = UnvalidatedRequest<Env> & { params: wire.BulkFilter }

/** Begins an operation, or counts its tasks. A filter that is `null` is refused: without it, more tasks would match. */
async function begin(action: BulkAction, { env, bytes, params }: Call) {
  const unset = Object.entries(objectIn(bytes) ?? {}).find(([, value]) => value === null)
  if (unset) throw invalid(unset[0], 'Must not be null. Leave the parameter out to match all tasks')
  const { worker, dry_run, from, to, ...filter } = params
  if (filter.state && !appliesTo(action, filter.state))
    throw invalid('state', `Must be a state that ${action} applies to, got ${filter.state}`)
  const scan = { ...filter, from: from?.getTime(), to: to?.getTime() }
  if (dry_run) return reply({ status: true, content: { count: await countTasks(env, worker, action, scan) } })
  return { operation: { id: await beginOperation(env, worker, action, scan) } }
}

type CreateCall = UnvalidatedRequest<Env> & {
  params: wire.NewTasks
  credential?: Parameters<typeof checkServiceCaller>[0]
}

/** The records of new tasks, and their worker. An error names the task. */
async function recordsOf({ env, params: { worker = '', tasks }, credential }: CreateCall) {
  const name = worker || tasks[0]!.worker
  if (name === undefined) throw invalid('worker', 'Must be set, here or in each task')
  await requireWorker(env, name)
  const records = await Promise.all(
    tasks.map(async ({ worker = name, ...task }, n) => {
      if (worker !== name) throw invalid(`tasks.${n}.worker`, 'Must be the same in all tasks')
      if (task.service !== undefined) checkServiceCaller(credential, undefined)
      return taskRecordOf(env, { ...task, worker }).catch((error: unknown) => {
        throw inTask(n, error)
      })
    }),
  )
  return { worker: name, records }
}

/** Adds the index of a task to the names of invalid parameters. */
const inTask = (n: number, error: unknown): unknown =>
  Failure.is(error) && error.errors
    ? invalidParameters(
        Object.fromEntries(Object.entries(error.errors).map(([name, message]) => [`tasks.${n}.${name}`, message])),
      )
    : error
