// Endpoints of workers: list, read, configure, delete, pause and resume them.
import * as z from 'zod'
import type { ComponentApi } from '#core/http/api'
import { requireWorker } from '../backlogs.ts'
import type { Env } from '../bindings.ts'
import * as wire from '../contract/workers.ts'
import { WorkerOf } from '../contract.ts'
import type { errors } from '../errors.ts'
import * as workers from '../workers.ts'

/** Adds the endpoints of workers to the API. */
export const withWorkers = <Calls>(api: ComponentApi<Env, Calls, keyof typeof errors>) =>
  api
    .put(
      '/worker',
      {
        level: 'manage',
        summary: 'Create or configure a worker',
        description:
          'Stores the settings of a worker, and creates the worker if it does not exist. Replaces all settings: a parameter that is left out gets its default. The settings win over `QUEUE_WORKERS` and over those of a built-in worker. They apply at once, and running requests are not interrupted. `shards` can be changed only while the worker is empty: no task waits or runs, and there is no schedule; else the reply is 409 `worker_not_empty`.',
        params: wire.NewWorker,
        errors: ['worker_not_empty'],
        reply: { worker: wire.Worker.describe('The worker with its settings') },
      },
      async ({ env, params }) => ({ worker: await workers.putWorker(env, params) }),
    )

    .get(
      '/worker',
      {
        level: 'read',
        summary: 'Get a worker',
        description:
          'Returns the settings of a worker, its number of waiting tasks, its rate, and the flow keys that are paused: by a `Retry-After`, a rate limit, or a circuit breaker that repeated failures have opened.',
        params: wire.WorkerNamed,
        errors: ['worker_not_found'],
        reply: { worker: wire.WorkerDetails.describe('The worker') },
      },
      async ({ env, params }) => ({ worker: await workers.readWorker(env, params.name) }),
    )

    .get(
      '/workers',
      {
        level: 'read',
        summary: 'List the workers',
        description:
          'Returns the workers, sorted by name: the built-in ones, those of `QUEUE_WORKERS`, and those that `PUT /worker` has created. Each has its settings, its number of waiting tasks and its rate. If `next` is not null, more workers follow: pass it as `after`.',
        params: wire.WorkerPage,
        reply: {
          workers: z.array(wire.Worker).describe('Workers of the page, sorted by name'),
          next: wire.NextWorker,
        },
      },
      async ({ env, params }) => workers.readWorkers(env, params),
    )

    .delete(
      '/worker',
      {
        level: 'manage',
        summary: 'Delete a worker',
        description:
          'Deletes a worker that `PUT /worker` has created, with its ended tasks. A worker that is built in or in `QUEUE_WORKERS` gets its preset settings again, and keeps its tasks. 409 `worker_not_empty` if tasks wait or run or there is a schedule, unless `force` is true: then they are deleted too, and running requests are aborted.',
        params: wire.WorkerToDelete,
        errors: ['worker_built_in', 'worker_not_empty', 'worker_not_found'],
      },
      async ({ env, params }) => workers.deleteWorker(env, params),
    )

    .post(
      '/worker/pause',
      {
        level: 'manage',
        summary: 'Pause a worker',
        description:
          'The worker starts no more tasks until `POST /worker/resume`. Requests that are being sent end by themselves, and new tasks are accepted. The pause survives restarts.',
        params: WorkerOf,
        bindable: ['worker'],
      },
      async ({ env, params }) => workers.setPaused(env, await requireWorker(env, params.worker, true), true),
    )

    .post(
      '/worker/resume',
      {
        level: 'manage',
        summary: 'Resume a paused worker',
        description:
          'The worker starts due tasks again, the longest due first; flow keys take turns. No effect on a worker that is not paused.',
        params: WorkerOf,
        bindable: ['worker'],
      },
      async ({ env, params }) => workers.setPaused(env, await requireWorker(env, params.worker, true), false),
    )
