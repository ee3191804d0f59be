// Prometheus counters of the queue: requests sent, and tasks ended.
import { classOf, counter } from '#core/metrics/families'
import type { TaskState } from './contract.ts'
import type { RequestOutcome } from './task-request.ts'

const countRequest = counter(
  'quartermaster_queue_requests_total',
  'Requests sent for tasks, by the class of the response status, or the error.',
)

/** Counts the outcome of a request. */
export const countOutcome = (worker: string, { status, error }: RequestOutcome) =>
  countRequest({
    worker,
    outcome: error ?? classOf(status!),
  })

const countTask = counter(
  'quartermaster_queue_tasks_total',
  'Tasks and pieces of fractions that ended with a request, by state: done, failed, lost or canceled.',
)

/** Counts a task or a piece that has ended with a request. */
export const countEnded = (worker: string, outcome: TaskState) => countTask({ worker, outcome })
