import { classOf, counter } from '#core/metrics/families'
import type { TaskState } from './contract.ts'
import type { RequestOutcome } from './perform.ts'

const countRequest = counter(
  'quartermaster_queue_requests_total',
  'Requests that were made for tasks, by the class of the status that was answered, or the error.',
)

/** Counts what came of a request. */
export const countOutcome = (worker: string, { status, error }: RequestOutcome) =>
  countRequest({
    worker,
    outcome: error ?? classOf(status!),
  })

const countTask = counter(
  'quartermaster_queue_tasks_total',
  'Tasks, and pieces of fractions, that ended with their requests: done, failed, lost or canceled meanwhile.',
)

/** Counts a task or a piece that has ended with a request of its own. */
export const countEnded = (worker: string, outcome: TaskState) => countTask({ worker, outcome })
