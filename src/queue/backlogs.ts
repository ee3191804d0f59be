import { Failure, missing } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { Backlog } from './backlog.ts'
import { type Env, workersOf } from './env.ts'
import { parseTaskId } from './task-id.ts'

/** The backlog of a worker that is configured; 400 for another. */
export function backlogOf(env: Env, worker: string): DurableObjectStub<Backlog> {
  if (workersOf(env).has(worker)) return env.BACKLOG.getByName(worker)
  const message = 'There is no worker of this name: see QUEUE_WORKERS'
  throw new Failure('invalid', message, { errors: { worker: 'Is not configured' } })
}

/** The backlog that has a task, and its number there; 404 where none can. */
export function whereIs(env: Env, id: string): { worker: string; number: number; backlog: DurableObjectStub<Backlog> } {
  const named = parseTaskId(id)
  if (!named || !workersOf(env).has(named.worker)) throw missing('task')
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
