// Schedules, which create tasks at the times of a cron expression: stores, lists and runs them.
import { Cron } from 'croner'
import { invalid } from '#core/failure'
import { failure } from './errors.ts'
import type { TaskRow } from './tables.ts'
import type { TaskRecord } from './task-record.ts'
import { insertTask } from './tasks.ts'

/** A row of `schedules` without its task. */
export type ScheduleRow = {
  name: string
  cron: string
  timezone: string
  next_at: number | null
}

/** A schedule with the record of its tasks. */
type ScheduleWithTask = ScheduleRow & {
  /** The task record as JSON, without its encrypted secrets. */
  task: string
  sealed: ArrayBuffer | null
}

/** The first time of a cron expression after `after`, in milliseconds since 1970; null if there is none. */
export function nextTime(cron: string, timezone: string, after: number): number | null {
  return new Cron(cron, { timezone, paused: true }).nextRun(new Date(after))?.getTime() ?? null
}

// 5 or 6 fields. The library croner, which parses them, also accepts a date, and a seventh field for the year: the API does not.
const cronFields = /^(\S+\s+){4,5}\S+$/

/** Throws 400 unless the cron expression and the time zone are valid. */
export function checkCron(cron: string, timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    throw invalid('timezone', 'Must be the IANA name of a time zone')
  }
  const objection = 'Must be a cron expression of 5 or 6 fields'
  if (!cronFields.test(cron.trim())) throw invalid('cron', objection)
  try {
    if (nextTime(cron, timezone, Date.now()) !== null) return
  } catch {
    throw invalid('cron', objection)
  }
  throw invalid('cron', 'Must have a time in the future')
}

interface NewSchedule {
  name: string
  cron: string
  timezone: string
  record: TaskRecord
}

/** Maximum number of schedules of a worker, and of schedules that create their tasks in one step, so that a step stays short. */
const maxSchedules = 1_000
const maxPerStep = 20

/** Creates a schedule, or replaces the one of the same name. 409 if the worker has too many. */
export function setSchedule(sql: SqlStorage, { name, cron, timezone, record }: NewSchedule, now: number): ScheduleRow {
  const { n } = sql.exec<{ n: number }>('SELECT count(*) AS n FROM schedules WHERE name <> ?', name).one()
  if (n >= maxSchedules) throw failure('too_many_schedules')
  const { sealed, ...task } = record
  return sql
    .exec<ScheduleRow>(
      'INSERT OR REPLACE INTO schedules (name, cron, timezone, next_at, task, sealed) VALUES (?, ?, ?, ?, ?, ?) RETURNING name, cron, timezone, next_at',
      name,
      cron,
      timezone,
      nextTime(cron, timezone, now),
      stored(task),
      sealed,
    )
    .one()
}

export const listSchedules = (sql: SqlStorage): ScheduleRow[] =>
  sql.exec<ScheduleRow>('SELECT name, cron, timezone, next_at FROM schedules ORDER BY name').toArray()

export const hasSchedules = (sql: SqlStorage): boolean =>
  sql.exec('SELECT 1 FROM schedules LIMIT 1').toArray().length > 0

/** Deletes a schedule; returns false if none has the name. */
export const deleteSchedule = (sql: SqlStorage, name: string): boolean =>
  sql.exec('DELETE FROM schedules WHERE name = ? RETURNING name', name).toArray().length > 0

/**
 * Creates the tasks of all schedules that are due. Several missed times of a schedule create one task, and a schedule whose
 * last task still waits creates none, so that a worker that is behind or paused does not collect copies. Returns the time of
 * the next schedule in milliseconds since 1970.
 */
export function runSchedules(sql: SqlStorage, now: number, onWaiting?: (row: TaskRow) => void): number {
  const due = sql
    .exec<ScheduleWithTask>(
      `SELECT * FROM schedules WHERE next_at IS NOT NULL AND next_at <= ? LIMIT ${maxPerStep}`,
      now,
    )
    .toArray()
  for (const { name, cron, timezone, next_at, task, sealed } of due) {
    const waits = sql.exec(
      `SELECT 1 FROM (SELECT state FROM tasks WHERE schedule = ? ORDER BY id DESC LIMIT 1) WHERE state = 'waiting'`,
      name,
    )
    if (waits.toArray().length === 0) {
      const row = insertTask(sql, { ...recordAt(next_at!, task), sealed, kind: 'task', schedule: name }, now)
      onWaiting?.(row)
    }
    sql.exec('UPDATE schedules SET next_at = ? WHERE name = ?', nextTime(cron, timezone, now), name)
  }
  const { at } = sql.exec<{ at: number | null }>('SELECT min(next_at) AS at FROM schedules').one()
  return at ?? Number.POSITIVE_INFINITY
}

/** A record as JSON: the bytes of its body are in base64, under another name. */
const stored = ({ body, ...task }: Omit<TaskRecord, 'sealed'>): string =>
  JSON.stringify(body instanceof ArrayBuffer ? { ...task, bytes: new Uint8Array(body).toBase64() } : { ...task, body })

type StoredTask = Omit<TaskRecord, 'sealed'>

/** The inverse of `stored`. */
function taskOf(text: string): StoredTask {
  const { bytes, ...task } = JSON.parse(text) as StoredTask & { bytes?: string }
  return bytes === undefined ? task : { ...task, body: Uint8Array.fromBase64(bytes).buffer }
}

/** The record of a schedule's next task: the stored record, with its due time replaced and its expiry moved by the same time. */
function recordAt(due_at: number, text: string): StoredTask {
  const task = taskOf(text)
  const { expires_at = null } = task
  return { ...task, due_at, expires_at: expires_at && due_at + expires_at - task.due_at }
}

/** Reads the schedules after a name, each with the record of its tasks, one by one. */
export function* readScheduled(sql: SqlStorage, after: string): Generator<ScheduleRow & { task: TaskRecord }> {
  for (const { task, sealed, ...row } of sql.exec<ScheduleWithTask>(
    'SELECT name, cron, timezone, next_at, task, sealed FROM schedules WHERE name > ? ORDER BY name',
    after,
  ))
    yield { ...row, task: { ...taskOf(task), sealed } }
}
