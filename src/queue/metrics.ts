import { classOf, counter, type Gauge } from '#core/metrics/families'
import { allBacklogs } from './backlogs.ts'
import type { State } from './contract.ts'
import type { Env } from './env.ts'
import type { Outcome } from './perform.ts'

const countRequest = counter(
  'quartermaster_queue_requests_total',
  'Requests that were made for tasks, by the class of the status that was answered, or the error.',
)

/** Counts what came of a request. */
export const countOutcome = (worker: string, { status, error }: Outcome) =>
  countRequest({
    worker,
    outcome: error ?? classOf(status!),
  })

const countTask = counter(
  'quartermaster_queue_tasks_total',
  'Tasks, and pieces of fractions, that ended with their requests: done, failed, lost or canceled meanwhile.',
)

/** Counts a task or a piece that has ended with a request of its own. */
export const countEnded = (worker: string, outcome: State) => countTask({ worker, outcome })

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
