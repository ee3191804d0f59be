// Converts rows of tasks and failed pieces to the JSON of replies.
import type { Schedule, Task, TaskError } from './contract.ts'
import { countPieces } from './fractions.ts'
import { labelsOf } from './labels.ts'
import type { ScheduleRow } from './schedules.ts'
import type { TaskRow } from './tables.ts'
import { formatTaskId } from './task-id.ts'

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms))

/** The public view of a task. The query of the URL is left out, since it may contain secrets. */
export const taskOf = (worker: string, row: TaskRow): Task => ({
  id: formatTaskId({ worker, number: row.id }),
  worker,
  kind: row.kind === 'fraction' ? 'fraction' : 'task',
  state: row.state,
  method: row.method,
  url: row.url.replace(/[?#].*$/s, ''),
  due_at: new Date(row.due_at),
  expires_at: dateOf(row.expires_at),
  created_at: new Date(row.created_at),
  started_at: dateOf(row.started_at),
  ended_at: dateOf(row.ended_at),
  attempts: row.attempts,
  retries: row.retries,
  status: row.status,
  error: row.error as TaskError | null,
  schedule: row.schedule,
  key: row.key,
  labels: labelsOf(row),
  request_id: row.request_id,
  fraction: row.kind === 'fraction' ? fractionOf(row) : null,
})

function fractionOf({ min, max, gap, next, done, failed, lost }: TaskRow): NonNullable<Task['fraction']> {
  const range = { min: min!, max: max!, gap: gap! }
  return { ...range, next, pieces: { total: countPieces(range), done, failed, lost } }
}

/** The public view of a piece that failed or was lost. */
export const failedPieceOf = ({ min, max, state, attempts, status, error }: TaskRow) => ({
  min: min!,
  max: max!,
  state: state as 'failed' | 'lost',
  attempts,
  status,
  error,
})

export const scheduleOf = (worker: string, { name, cron, timezone, next_at }: ScheduleRow): Schedule => ({
  name,
  worker,
  cron,
  timezone,
  next_at: dateOf(next_at),
})
