// Finds the backlog (a durable object) of a worker or of a task id. Also wakes all backlogs and reads their metrics.
import { invalid } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { Gauge } from '#core/metrics/families'
import type { Backlog } from './backlog.ts'
import type { Env } from './bindings.ts'
import { workersOf } from './env.ts'
import { missing } from './errors.ts'
import { parseTaskId } from './task-id.ts'

/** The backlog of a worker; 400 if `QUEUE_WORKERS` and the built-in workers have none of this name. */
export function backlogOf(env: Env, worker: string): DurableObjectStub<Backlog> {
  if (workersOf(env).has(worker)) return env.BACKLOG.getByName(worker)
  throw invalid('worker', `No worker is named ${JSON.stringify(worker)}. Add it to QUEUE_WORKERS.`)
}

/**
 * Finds the worker and the backlog of a public task id such as `default-12`. 404 if the id is malformed or its worker does not exist.
 * Does not check that the task exists, which only the backlog knows.
 */
export function locateTask(
  env: Env,
  id: string,
): { worker: string; number: number; backlog: DurableObjectStub<Backlog> } {
  const parts = parseTaskId(id)
  if (!parts || !workersOf(env).has(parts.worker)) throw missing('task', { id })
  return { ...parts, backlog: env.BACKLOG.getByName(parts.worker) }
}

/** The backlogs of all workers. */
export const allBacklogs = (env: Env) =>
  [...workersOf(env)].map(([name, config]) => ({ name, ...config, backlog: env.BACKLOG.getByName(name) }))

/** The sweep of the queue, called every minute: wakes every backlog, in case an alarm was lost. One that fails does not stop the others. */
export async function wakeAll(env: Env): Promise<void> {
  await Promise.all(
    allBacklogs(env).map(({ name, backlog }) =>
      backlog.wake().catch((error: unknown) => log('error', { component: 'queue', worker: name, ...describe(error) })),
    ),
  )
}

/** Gauges of each worker for `/_metrics`. */
export async function gauges(env: Env): Promise<Gauge[]> {
  const measured = allBacklogs(env).map(async ({ name, backlog }) => ({ name, ...(await backlog.measure()) }))
  const workers = await Promise.all(measured)
  const of = (name: string, help: string, value: (worker: (typeof workers)[number]) => number): Gauge => ({
    name: `quartermaster_queue_${name}`,
    help,
    samples: workers.map((worker) => ({ labels: { worker: worker.name }, value: value(worker) })),
  })
  return [
    of('depth', 'Waiting tasks, due or not.', ({ depth }) => depth),
    of('due', 'Waiting tasks that are due. Above 100 000 the number may be some seconds old.', ({ due }) => due),
    of('running', 'Requests that are being sent.', ({ running }) => running),
    of('oldest_due_age_seconds', 'Seconds since the oldest waiting task became due.', ({ oldest_due_at: at }) =>
      at === null ? 0 : Math.max(0, (Date.now() - at.getTime()) / 1_000),
    ),
    of('paused', '1 if the worker is paused, else 0.', ({ is_paused }) => Number(is_paused)),
  ]
}
