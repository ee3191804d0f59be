// The HTTP API of the queue: declares its endpoints, most of which call the backlog of a worker.
import * as z from 'zod'
import { invalid } from '#core/failure'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import { nameOf } from '#core/http/idempotency'
import { gauges, locateTask, requireWorker } from './backlogs.ts'
import type { Env } from './bindings.ts'
import { AttemptsOf, NextAttempt, TaskAttempt } from './contract/attempts.ts'
import { Schedule } from './contract/schedules.ts'
import * as wire from './contract.ts'
import { withBulk } from './endpoints/bulk.ts'
import { withSchedules } from './endpoints/schedules.ts'
import { withWorkers } from './endpoints/workers.ts'
import { checkConfiguration } from './env.ts'
import { errors } from './errors.ts'
import { checkCron } from './schedules.ts'
import { addFraction, addTask, listTasks, putSchedule } from './shards.ts'
import { publicKeysOf, signingKeysOf } from './signing.ts'
import { checkServiceCaller, taskRecordOf } from './task-record.ts'
import { attemptOf, failedPieceOf, taskOf } from './view.ts'

/** Limit of the body of `POST /task`: 1 MB of content, in base64, and the other parameters. */
const maxTaskBytes = 1_500_000

const tasks = api<Env, keyof typeof errors>({
  errors,
  name: 'queue',
  title: 'Task queue',
  description: `Sends HTTP requests for other services, at a chosen time. A worker is a queue of tasks with a number of daemons \
(PUT /worker, or QUEUE_WORKERS). Each daemon sends one request at a time and waits for the end of the response. Tasks run in the order of their due \
time, then of their creation. The queue stores a task before it sends the request and again when the request has ended, so tasks \
survive any restart. Without retries a request is sent at most once: if the process dies meanwhile, the task is "lost", since the \
request may have arrived. With retries it is sent at least once, until it gets a 2xx response. Requests carry X-Task-Id, which is the \
same for each retry, X-Task-Attempt, and the X-Request-Id of the request that created the task. Redirects are followed; one that would \
drop the body (301, 302 or 303) fails the attempt as "redirected". A fraction is a range of numbers that is sent in pieces, between \
other tasks. Ended tasks are kept for a day (QUEUE_RETENTION, in seconds).`,
  gauges,
  prepare: async (env) => {
    checkConfiguration(env)
    await signingKeysOf(env)
  },
  probes: (env) => ({ backlog: async () => env.BACKLOG.getByName('default').renew() }),
})
  .post(
    '/task',
    {
      level: 'write',
      summary: 'Create a task or a schedule',
      description:
        'Stores a task, whose request is sent when the task is due and a daemon is free: now, after `delay`, or at `datetime`. The reply has the id of the task; read its result with `GET /task`. With `schedule` and `cron` the call creates a schedule, or replaces the one of that name, and the reply has the schedule: a task is created at each of its times, unless the previous one still waits. A worker has at most 1000 schedules. `url`, `json` or `body`, headers and limits apply to each attempt. With the header `Idempotency-Key` a repeated call returns the same task for 24 hours.',
      params: wire.NewTask,
      bindable: ['worker'],
      bodyLimit: maxTaskBytes,
      errors: ['queue_full', 'too_many_schedules', 'forbidden', 'worker_changing'],
      reply: {
        task: wire.Created.optional().describe('The created task; absent if a schedule was created'),
        schedule: Schedule.optional().describe('The created or replaced schedule; absent if a task was created'),
      },
      // The backlog stores the idempotency key with the task. A repeat after a crash therefore runs again, and finds the task by the key.
      idempotent: 'from-point-of-no-return',
    },
    async (call) => {
      const {
        env,
        params: { schedule: name, cron, timezone, overlap, catch_up, ...request },
      } = call
      await requireWorker(env, request.worker)
      if (request.service !== undefined) checkServiceCaller(call.credential, name)
      if ((name === undefined) !== (cron === undefined))
        throw invalid(name === undefined ? 'schedule' : 'cron', 'schedule and cron must be given together')
      if (cron === undefined && (overlap ?? catch_up))
        throw invalid(overlap ? 'overlap' : 'catch_up', 'Must not be given without schedule and cron')
      const record = await taskRecordOf(env, request)
      if (name === undefined || cron === undefined) {
        return { task: { id: await addTask(env, request.worker, record, await nameOf(call)) } }
      }
      if (request.delay !== undefined || request.datetime)
        throw invalid('cron', 'Must not be given with delay or datetime')
      checkCron(cron, timezone)
      return {
        schedule: await putSchedule(env, request.worker, {
          name,
          cron,
          timezone,
          record,
          ...(overlap && { overlap }),
          ...(catch_up && { catch_up }),
        }),
      }
    },
  )

  .post(
    '/fraction',
    {
      level: 'write',
      summary: 'Create a fraction: one request per piece of a range',
      description:
        'Splits the range from `min` to `max` into pieces of `gap` items and sends one request for each, in order, between the other tasks of the worker. The body of each request is `json` with `_min`, `_max` and `_gap`: the first and the last item of the piece, and the gap. Each piece has its own retries. The fraction is done when all pieces are done, and failed if one failed or was lost; then at most 10 000 failed pieces are stored for `POST /task/retry`. The range is stored as one row, whatever its size.',
      params: wire.NewFraction,
      bindable: ['worker'],
      errors: ['queue_full', 'worker_changing'],
      reply: { fraction: wire.Created.describe('The created fraction. `GET /task` with its id returns its progress') },
      idempotent: 'from-point-of-no-return',
    },
    async (call) => {
      const {
        env,
        params: { min, max, gap, ...request },
      } = call
      await requireWorker(env, request.worker)
      if (min > max) throw invalid('min', `min must not be greater than max, got ${min} and ${max}`)
      const record = await taskRecordOf(env, request)
      return { fraction: { id: await addFraction(env, request.worker, record, { min, max, gap }, await nameOf(call)) } }
    },
  )

  .get(
    '/task',
    {
      level: 'read',
      summary: 'Get a task or a fraction',
      description:
        'Returns the state, attempts and last response status of a task, and for a fraction also its failed and lost pieces. Ended tasks are deleted after QUEUE_RETENTION (default: a day), then the reply is 404 `task_not_found`.',
      params: wire.TaskOf,
      errors: ['task_not_found'],
      reply: { task: wire.TaskDetails.describe('The task or the fraction') },
    },
    async ({ env, params }) => {
      const { number, backlog, ...place } = await locateTask(env, params.id)
      const { row, pieces } = await backlog.find(number)
      const task = taskOf(place, row)
      return { task: task.fraction ? { ...task, unhappy_pieces: pieces.map(failedPieceOf) } : task }
    },
  )

  .get(
    '/task/attempts',
    {
      level: 'read',
      summary: 'List the attempts of a task',
      description:
        'Returns the last 20 attempts of a task, the oldest first, each with its duration and the response. A running attempt has neither. For a fraction the reply has the last 20 failed attempts of its pieces. Attempts are deleted with their task.',
      params: AttemptsOf,
      errors: ['task_not_found'],
      reply: {
        attempts: z.array(TaskAttempt).describe('Attempts in the order of their start'),
        next: NextAttempt,
      },
    },
    async ({ env, params: { id, ...page } }) => {
      const { number, backlog } = await locateTask(env, id)
      const { rows, hasMore } = await backlog.attempts(number, page)
      return { attempts: rows.map(attemptOf), next: hasMore ? rows.at(-1)!.n : null }
    },
  )

  .get(
    '/tasks',
    {
      level: 'read',
      summary: 'List the tasks of a worker',
      description:
        'Waiting tasks are listed by due time; ended tasks of one state most recently ended first. All other lists (all states, running tasks, fractions, tasks of a schedule) are newest first. A fraction is one entry; its pieces are not listed. Continue a list with `after`: `next` of the previous page.',
      params: wire.TaskFilter,
      bindable: ['worker'],
      reply: {
        tasks: z.array(wire.Task).describe('Tasks and fractions of the page'),
        nb_results,
        next: wire.NextTasks,
      },
    },
    async ({ env, params }) => listTasks(env, params),
  )

  .delete(
    '/task',
    {
      level: 'write',
      summary: 'Cancel a task or a fraction',
      description:
        'A waiting task is canceled at once. A request that is being sent is not aborted: it ends by itself and is not retried, and the task is still `running` in the reply. A fraction is canceled at once and starts no further pieces. Canceling twice has no effect; a task that has ended otherwise gets 409 `task_ended`.',
      params: wire.TaskOf,
      errors: ['task_ended', 'task_not_found'],
      reply: { task: wire.Task.describe('The task or the fraction after the call') },
    },
    async ({ env, params }) => {
      const { number, backlog, ...place } = await locateTask(env, params.id)
      return { task: taskOf(place, await backlog.cancel(number)) }
    },
  )

  .post(
    '/task/retry',
    {
      level: 'write',
      summary: 'Retry a failed, lost or canceled task',
      description:
        'Makes the task due now, with all its retries again and without `expires`. `attempts` is not reset: it counts the requests before the retry too. For a fraction, its stored failed pieces (at most 10 000), its lost pieces and the rest of its range are sent. 409 `task_not_repeatable` if the task has not ended or is done, and if it had `secret_headers` or a `confidential` body, since its secrets were deleted when it ended.',
      params: wire.TaskOf,
      errors: ['task_not_found', 'task_not_repeatable'],
      reply: { task: wire.Task.describe('The task or the fraction, which waits again or runs already') },
    },
    async ({ env, params }) => {
      const { number, backlog, ...place } = await locateTask(env, params.id)
      return { task: taskOf(place, await backlog.retry(number)) }
    },
  )

const withKeys = tasks.get(
  '/.well-known/jwks.json',
  {
    open: true,
    summary: 'Get the public keys of the signatures',
    description:
      'Returns the public keys with which receivers verify the requests of tasks, as a JSON Web Key Set (RFC 7517). Empty if QUEUE_SIGNING_KEY is not set.',
    produces: 'application/jwk-set+json',
  },
  async ({ env }) =>
    new Response(JSON.stringify({ keys: await publicKeysOf(env) }), {
      headers: { 'content-type': 'application/jwk-set+json', 'cache-control': 'public, max-age=300' },
    }),
)

export const queue = withWorkers(withSchedules(withBulk(withKeys)))
