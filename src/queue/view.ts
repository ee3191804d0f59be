// Converts rows of tasks and failed pieces to the JSON of replies.
import { maskBody, maxEncodedNumberLength } from '#core/masking/mask'
import { type AttemptRow, type StoredResponse, storedBodyBytes } from './attempts.ts'
import type { TaskAttempt } from './contract/attempts.ts'
import type { TaskError } from './contract/fields.ts'
import type { Schedule } from './contract/schedules.ts'
import type { Task } from './contract.ts'
import { countPieces } from './fractions.ts'
import { labelsOf } from './labels.ts'
import { withoutQuery } from './person-requests.ts'
import { defaultPriority } from './ready-rings.ts'
import type { LastRun, ScheduleRow } from './schedules.ts'
import type { QueueShard } from './settings.ts'
import type { TaskRow } from './tables.ts'
import { formatTaskId } from './task-id.ts'

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms))

/** The public view of a task. The query of the URL is left out, since it may contain secrets. */
export const taskOf = ({ worker, shard }: QueueShard, row: TaskRow): Task => ({
  id: formatTaskId({ worker, shard, number: row.id }),
  worker,
  kind: row.kind === 'fraction' ? 'fraction' : 'task',
  state: row.state,
  method: row.method,
  url: withoutQuery(row.url),
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
  priority: row.priority ?? defaultPriority,
  labels: labelsOf(row),
  on_success: row.on_success && withoutQuery(row.on_success),
  on_failure: row.on_failure && withoutQuery(row.on_failure),
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

/** Characters of a response's body that are shown. */
const maxShownBody = 1_024

/** The public view of an attempt. */
export function attemptOf({ attempt, started_at, status, error, response, min, max }: AttemptRow): TaskAttempt {
  const [duration_ms, headers, body] = response === null ? [null, null, null] : (JSON.parse(response) as StoredResponse)
  return {
    attempt,
    started_at: new Date(started_at),
    duration_ms,
    status,
    error: error as TaskError | null,
    headers,
    body: body === null ? null : shownBody(body),
    piece: min === null || max === null ? null : { min, max },
  }
}

/** The first kilobyte of a body, masked. The end of a cut text may be a part of a number that is not recognized: it is dropped. */
function shownBody(body: string): string {
  const isCut = new TextEncoder().encode(body).length > storedBodyBytes - 4
  return (isCut ? maskBody(body).slice(0, -maxEncodedNumberLength) : maskBody(body)).slice(0, maxShownBody)
}

/** The public view of a schedule. The query of the URL is left out, as for tasks. */
export function scheduleOf({ worker, shard }: QueueShard, row: ScheduleRow): Schedule {
  const { name, cron, timezone, next_at, is_paused, overlap, catch_up, skipped, method, url, last_task } = row
  const last = row.last_run === null ? null : (JSON.parse(row.last_run) as LastRun)
  return {
    ...{ name, worker, cron, timezone, method, url: withoutQuery(url), overlap, catch_up, skipped },
    is_paused: is_paused === 1,
    next_at: dateOf(next_at),
    next_local: next_at === null ? null : localTime(next_at, timezone),
    last_run: last && {
      task: { id: formatTaskId({ worker, shard, number: last_task! }) },
      state: last.state,
      due_at: new Date(last.due_at),
      started_at: dateOf(last.started_at),
      ended_at: dateOf(last.ended_at),
      status: last.status,
      error: last.error as TaskError | null,
    },
  }
}

/** A time in a time zone, with its offset (RFC 3339). */
function localTime(at: number, timeZone: string): string {
  const two = '2-digit'
  const digits = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
  const format = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', ...digits, timeZoneName: 'longOffset' })
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const offset = part.timeZoneName!.replace('GMT', '') || '+00:00'
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}${offset}`
}
