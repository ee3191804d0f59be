import * as z from 'zod'
import { invalid } from '#core/failure'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import { nameOf } from '#core/http/idempotency'
import { allBacklogs, backlogOf, gauges, whereIs } from './backlogs.ts'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { checkConfiguration } from './env.ts'
import { errors } from './errors.ts'
import { postingOf } from './posting.ts'
import { checkCron } from './schedules.ts'
import { formatTaskId } from './task-id.ts'
import { scheduleOf, taskOf, unhappyPieceOf } from './view.ts'

export const queue = api<Env, keyof typeof errors>({
  errors,
  name: 'queue',
  title: 'Task queue',
  description: `Sends HTTP requests for other services, at a chosen time. A worker is a queue of tasks with a number of daemons \
(QUEUE_WORKERS). Each daemon sends one request at a time and waits for the end of the response. Tasks run in the order of their due \
time, then of their creation. The queue stores a task before it sends the request and again when the request has ended, so tasks \
survive any restart. Without retries a request is sent at most once: if the process dies meanwhile, the task is "lost", since the \
request may have arrived. With retries it is sent at least once, until it gets a 2xx response. Requests carry X-Task-Id, which is the \
same for each retry, X-Task-Attempt, and the X-Request-Id of the request that created the task. Redirects are followed; one that would \
drop the body (301, 302 or 303) fails the attempt as "redirected". A fraction is a range of numbers that is sent in pieces, between \
other tasks. Ended tasks are kept for a day (QUEUE_RETENTION, in seconds).`,
  gauges,
  prepare: async (env) => checkConfiguration(env),
  probes: (env) => ({ backlog: async () => env.BACKLOG.getByName('default').renew() }),
})
  .post(
    '/task',
    {
      summary: 'Make a request, now or later, once or on a schedule',
      params: wire.NewTask,
      errors: ['queue_full', 'too_many_schedules'],
      reply: { task: wire.Created.optional(), schedule: wire.Schedule.optional() },
      // It never commits: the backlog keeps the key with the task, so that it can always be begun anew.
      idempotent: 'from-point-of-no-return',
    },
    async (call) => {
      const {
        env,
        params: { schedule: name, cron, timezone, ...asked },
      } = call
      const backlog = backlogOf(env, asked.worker)
      if ((name === undefined) !== (cron === undefined))
        throw invalid(name === undefined ? 'schedule' : 'cron', 'Is required with the other of schedule and cron')
      const posting = await postingOf(env, asked)
      if (name === undefined || cron === undefined) {
        const number = await backlog.addTask(posting, await nameOf(call))
        return { task: { id: formatTaskId({ worker: asked.worker, number }) } }
      }
      if (asked.delay !== undefined || asked.datetime) throw invalid('cron', 'Must not be given with delay or datetime')
      checkCron(cron, timezone)
      return {
        schedule: scheduleOf(
          asked.worker,
          await backlog.setSchedule(name, cron, timezone, { ...posting, request_id: null }),
        ),
      }
    },
  )

  .post(
    '/fraction',
    {
      summary: 'Make one request for each piece of a range',
      description:
        'The body of each request is json with _min, _max and _gap: the first and last item of the piece, and the gap.',
      params: wire.NewFraction,
      errors: ['queue_full'],
      reply: { fraction: wire.Created },
      idempotent: 'from-point-of-no-return',
    },
    async (call) => {
      const {
        env,
        params: { min, max, gap, ...asked },
      } = call
      const backlog = backlogOf(env, asked.worker)
      if (min > max) throw invalid('min', 'Must not be above max')
      const number = await backlog.addFraction(await postingOf(env, asked), { min, max, gap }, await nameOf(call))
      return { fraction: { id: formatTaskId({ worker: asked.worker, number }) } }
    },
  )

  .get(
    '/task',
    {
      summary: 'Read a task or a fraction',
      params: wire.TaskOf,
      errors: ['task_not_found'],
      reply: { task: wire.TaskInFull },
    },
    async ({ env, params }) => {
      const { worker, number, backlog } = whereIs(env, params.id)
      const { row, pieces } = await backlog.find(number)
      const task = taskOf(worker, row)
      return { task: task.fraction ? { ...task, unhappy_pieces: pieces.map(unhappyPieceOf) } : task }
    },
  )

  .get(
    '/tasks',
    {
      summary: 'List the tasks of a worker',
      description:
        'Of a state: those that wait in the order of the line, those that have ended the last first. All others, and those of a schedule and fractions in any state, the newest first.',
      params: wire.TaskFilter,
      reply: { tasks: z.array(wire.Task), nb_results },
    },
    async ({ env, params: { worker, ...asked } }) => {
      const { rows, nb_results } = await backlogOf(env, worker).list(asked)
      return { tasks: rows.map((row) => taskOf(worker, row)), ...(nb_results !== undefined && { nb_results }) }
    },
  )

  .delete(
    '/task',
    {
      summary: 'Cancel a task or a fraction',
      description:
        'A request that is under way ends by itself and is not repeated; a fraction has no further piece. 409 for what has ended.',
      params: wire.TaskOf,
      errors: ['task_ended', 'task_not_found'],
      reply: { task: wire.Task },
    },
    async ({ env, params }) => {
      const { worker, number, backlog } = whereIs(env, params.id)
      return { task: taskOf(worker, await backlog.cancel(number)) }
    },
  )

  .post(
    '/task/retry',
    {
      summary: 'Put a task that failed, was lost or was canceled in line again',
      description:
        'Of a fraction the pieces that failed or were lost, and what is left of its range. 409 for what had secrets.',
      params: wire.TaskOf,
      errors: ['task_not_found', 'task_not_repeatable'],
      reply: { task: wire.Task },
    },
    async ({ env, params }) => {
      const { worker, number, backlog } = whereIs(env, params.id)
      return { task: taskOf(worker, await backlog.retry(number)) }
    },
  )

  .get(
    '/workers',
    { summary: 'See how the workers are doing', reply: { workers: z.array(wire.Worker) } },
    async ({ env }) => {
      const workers = allBacklogs(env).map(async ({ name, daemons, keyConcurrency, backlog }) => ({
        name,
        daemons,
        per_key: Number.isFinite(keyConcurrency) ? { concurrency: keyConcurrency } : null,
        ...(await backlog.measure()),
      }))
      return { workers: await Promise.all(workers) }
    },
  )

  .post(
    '/worker/pause',
    { summary: 'Let a worker take no more tasks', params: wire.WorkerOf },
    async ({ env, params }) => backlogOf(env, params.worker).setPaused(true),
  )

  .post('/worker/resume', { summary: 'Let a worker go on', params: wire.WorkerOf }, async ({ env, params }) =>
    backlogOf(env, params.worker).setPaused(false),
  )

  .get(
    '/schedules',
    { summary: 'List the schedules of a worker', params: wire.WorkerOf, reply: { schedules: z.array(wire.Schedule) } },
    async ({ env, params: { worker } }) => {
      const rows = await backlogOf(env, worker).listSchedules()
      return { schedules: rows.map((row) => scheduleOf(worker, row)) }
    },
  )

  .delete(
    '/schedule',
    {
      summary: 'Remove a schedule; tasks that it has made stay',
      params: wire.ScheduleOf,
      errors: ['schedule_not_found'],
    },
    async ({ env, params: { worker, name } }) => backlogOf(env, worker).removeSchedule(name),
  )
