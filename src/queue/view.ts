import type { Schedule, Task, TaskError } from './contract.ts'
import { piecesIn } from './pieces.ts'
import type { ScheduleRow } from './schedules.ts'
import type { TaskRow } from './tables.ts'
import { formatTaskId } from './task-id.ts'

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms))

/** A row as callers see it. The query of a URL may have secrets in it, and stays here. */
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
  request_id: row.request_id,
  fraction: row.kind === 'fraction' ? fractionOf(row) : null,
})

function fractionOf({ min, max, gap, next, done, failed, lost }: TaskRow): NonNullable<Task['fraction']> {
  const range = { min: min!, max: max!, gap: gap! }
  return { ...range, next, pieces: { total: piecesIn(range), done, failed, lost } }
}

/** A piece that failed or was lost. */
export const unhappyPieceOf = ({ min, max, state, attempts, status, error }: TaskRow) => ({
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
