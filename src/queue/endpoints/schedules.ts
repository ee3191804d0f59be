// Endpoints of schedules: list, pause, resume, run and delete them.
import * as z from 'zod'
import type { ComponentApi } from '#core/http/api'
import type { Env } from '../bindings.ts'
import * as wire from '../contract/schedules.ts'
import { Created, WorkerOf } from '../contract.ts'
import type { errors } from '../errors.ts'
import { deleteSchedule, listSchedules, pauseSchedule, runSchedule } from '../shards.ts'

const named = {
  level: 'write',
  params: wire.ScheduleOf,
  bindable: ['worker'],
} as const

const schedule = wire.Schedule.describe('The schedule after the call')

/** Adds the endpoints of schedules to the API. */
export const withSchedules = <Calls>(api: ComponentApi<Env, Calls, keyof typeof errors>) =>
  api
    .get(
      '/schedules',
      {
        level: 'read',
        summary: 'List the schedules of a worker',
        description:
          'Returns all schedules of the worker, sorted by name, each with its request, its last run and its result, and the time of its next task.',
        params: WorkerOf,
        bindable: ['worker'],
        reply: { schedules: z.array(wire.Schedule).describe('Schedules, sorted by name') },
      },
      async ({ env, params }) => ({ schedules: await listSchedules(env, params.worker) }),
    )

    .delete(
      '/schedule',
      {
        ...named,
        summary: 'Delete a schedule',
        description: 'No further tasks are created. Tasks that the schedule has created stay in the queue.',
        errors: ['schedule_not_found'],
      },
      async ({ env, params }) => deleteSchedule(env, params),
    )

    .post(
      '/schedule/pause',
      {
        ...named,
        summary: 'Pause a schedule',
        description:
          'The schedule creates no tasks until `POST /schedule/resume`, also if a call replaces it. Tasks that it has created stay in the queue. Pausing twice has no effect.',
        errors: ['schedule_not_found'],
        reply: { schedule },
      },
      async ({ env, params }) => ({ schedule: await pauseSchedule(env, params, true) }),
    )

    .post(
      '/schedule/resume',
      {
        ...named,
        summary: 'Resume a paused schedule',
        description:
          'The schedule creates its next task at its next time. It creates none for times that passed during the pause.',
        errors: ['schedule_not_found'],
        reply: { schedule },
      },
      async ({ env, params }) => ({ schedule: await pauseSchedule(env, params, false) }),
    )

    .post(
      '/schedule/run',
      {
        ...named,
        summary: 'Run a schedule now',
        description:
          'Creates a task of the schedule that is due now, whether or not the schedule is paused or its previous task has ended. The next time of the schedule stays the same.',
        errors: ['schedule_not_found', 'queue_full'],
        reply: { task: Created.describe('The created task') },
        idempotent: true,
      },
      async ({ env, params }) => ({ task: { id: await runSchedule(env, params) } }),
    )
