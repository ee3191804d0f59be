// Error codes of the queue's API, each with its status, cause and remedy.
import { defineErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
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
  too_many_schedules: {
    status: 409,
    cause: 'A worker has at most 1000 schedules.',
    remedy: 'Delete a schedule with `DELETE /schedule`, or use another worker.',
  },
})
