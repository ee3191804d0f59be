import { invalid } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { Gauge } from '#core/metrics/families'
import type { Backlog } from './backlog.ts'
import type { Env } from './bindings.ts'
import { workersOf } from './env.ts'
import { missing } from './errors.ts'
import { parseTaskId } from './task-id.ts'

/** The backlog of a worker that is configured; 400 for another. */
export function backlogOf(env: Env, worker: string): DurableObjectStub<Backlog> {
  if (workersOf(env).has(worker)) return env.BACKLOG.getByName(worker)
  throw invalid('worker', `No worker is named ${JSON.stringify(worker)}. Add it to QUEUE_WORKERS.`)
}

/** The backlog that has a task, and its number there; 404 where none can. */
export function whereIs(env: Env, id: string): { worker: string; number: number; backlog: DurableObjectStub<Backlog> } {
  const named = parseTaskId(id)
  if (!named || !workersOf(env).has(named.worker)) throw missing('task', { id })
  return { ...named, backlog: env.BACKLOG.getByName(named.worker) }
}

/** All backlogs, by their workers' names. */
export const allBacklogs = (env: Env) =>
  [...workersOf(env)].map(([name, config]) => ({ name, ...config, backlog: env.BACKLOG.getByName(name) }))

/** Wakes every backlog, so that nothing depends on an alarm that was lost. */
export async function wakeAll(env: Env): Promise<void> {
  await Promise.all(
    allBacklogs(env).map(({ name, backlog }) =>
      backlog.wake().catch((error: unknown) => log('error', { component: 'queue', worker: name, ...describe(error) })),
    ),
  )
}

/** How the workers are doing, as GET /workers tells. */
export async function gauges(env: Env): Promise<Gauge[]> {
  const asked = allBacklogs(env).map(async ({ name, backlog }) => ({ name, ...(await backlog.measure()) }))
  const workers = await Promise.all(asked)
  const of = (name: string, help: string, value: (worker: (typeof workers)[number]) => number): Gauge => ({
    name: `quartermaster_queue_${name}`,
    help,
    samples: workers.map((worker) => ({ labels: { worker: worker.name }, value: value(worker) })),
  })
  return [
    of('depth', 'Tasks that wait, due or not.', ({ depth }) => depth),
    of('due', 'Tasks that wait and are due; of more than 100 000, as they were some seconds ago.', ({ due }) => due),
    of('running', 'Requests under way.', ({ running }) => running),
    of('oldest_due_age_seconds', 'For how long the oldest task that waits has been due.', ({ oldest_due_at: at }) =>
      at === null ? 0 : Math.max(0, (Date.now() - at.getTime()) / 1_000),
    ),
    of('paused', 'Whether the worker takes no tasks.', ({ is_paused }) => Number(is_paused)),
  ]
}
