// Error codes of the queue's API, each with its status, cause and remedy.
import { defineErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
  operation_not_found: {
    status: 404,
    cause: 'No operation has this id. A worker keeps its last 1000 operations.',
    remedy: 'Begin another one, such as with `POST /tasks/retry`.',
  },
  queue_full: {
    status: 503,
    cause: 'The worker has too many tasks. Tasks that it has already keep running.',
    remedy: 'Retry after the seconds in `Retry-After`, or use another worker.',
  },
  schedule_not_found: {
    status: 404,
    cause: 'The worker has no schedule with this name.',
    remedy: 'List the schedules with `GET /schedules`.',
  },
  task_ended: {
    status: 409,
    cause: 'The task or fraction has already ended, so it cannot be canceled.',
    remedy: 'Read its state with `GET /task`.',
  },
  task_not_found: {
    status: 404,
    cause: 'No task or fraction has this id, or it was deleted after `QUEUE_RETENTION`.',
    remedy: 'List the tasks with `GET /tasks`.',
  },
  task_not_repeatable: {
    status: 409,
    cause:
      'The task cannot be retried: it has not ended, it succeeded, or its secret headers were deleted when it ended.',
    remedy: 'Create a new task with `POST /task`.',
  },
  too_many_operations: {
    status: 409,
    cause: 'A worker runs at most 100 operations, one after the other.',
    remedy: 'Wait until one has ended: read its state with `GET /operation`.',
  },
  too_many_schedules: {
    status: 409,
    cause: 'A worker has at most 1000 schedules.',
    remedy: 'Delete a schedule with `DELETE /schedule`, or use another worker.',
  },
  worker_built_in: {
    status: 409,
    cause: 'The worker is built in or in `QUEUE_WORKERS`, and has no stored settings.',
    remedy: 'Remove it from `QUEUE_WORKERS`. A built-in worker cannot be deleted.',
  },
  worker_changing: {
    status: 503,
    cause: 'The worker is being deleted, or its number of shards is being changed.',
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  worker_not_empty: {
    status: 409,
    cause: 'Tasks of the worker wait or run, or it has a schedule.',
    remedy: 'Cancel the tasks and delete the schedules, or delete the worker with `force`.',
  },
  worker_not_found: {
    status: 404,
    cause: 'No worker has this name.',
    remedy: 'List the workers with `GET /workers`, or create one with `PUT /worker`.',
  },
})
