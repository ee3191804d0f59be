import { Cron } from 'croner'
import { invalid } from '#core/failure'
import { failure } from './errors.ts'
import type { Posting } from './posting.ts'
import type { TaskRow } from './tables.ts'
import { insertRow } from './tasks.ts'

/** A schedule as a backlog keeps it. */
export type ScheduleRow = {
  name: string
  cron: string
  timezone: string
  next_at: number | null
}

/** A schedule with the task that it makes. */
type WholeRow = ScheduleRow & {
  /** JSON of the posting, without what is sealed. */
  task: string
  sealed: ArrayBuffer | null
}

/** The first time after `after` that a cron expression names, in milliseconds; nothing where there is none any more. */
export function nextTime(cron: string, timezone: string, after: number): number | null {
  return new Cron(cron, { timezone, paused: true }).nextRun(new Date(after))?.getTime() ?? null
}

// The parser would take a moment as well, or a year.
const fields = /^(\S+\s+){4,5}\S+$/

/** Refuses a cron expression or a time zone that is none. */
export function checkCron(cron: string, timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    throw invalid('timezone', 'Must be the IANA name of a time zone')
  }
  const objection = 'Must be a cron expression of 5 or 6 fields'
  if (!fields.test(cron.trim())) throw invalid('cron', objection)
  try {
    if (nextTime(cron, timezone, Date.now()) !== null) return
  } catch {
    throw invalid('cron', objection)
  }
  throw invalid('cron', 'Must name a time that is yet to come')
}

interface NewSchedule {
  name: string
  cron: string
  timezone: string
  posting: Posting
}

/** How many schedules a worker may have, and how many of them make their tasks in one step. */
const most = 1_000
const mostAtOnce = 20

/** Sets a schedule, in place of one of its name; 409 where the worker has too many. */
export function setSchedule(sql: SqlStorage, { name, cron, timezone, posting }: NewSchedule, now: number): ScheduleRow {
  const { n } = sql.exec<{ n: number }>('SELECT count(*) AS n FROM schedules WHERE name <> ?', name).one()
  if (n >= most) throw failure('too_many_schedules')
  const { sealed, ...task } = posting
  return sql
    .exec<ScheduleRow>(
      'INSERT OR REPLACE INTO schedules (name, cron, timezone, next_at, task, sealed) VALUES (?, ?, ?, ?, ?, ?) RETURNING name, cron, timezone, next_at',
      name,
      cron,
      timezone,
      nextTime(cron, timezone, now),
      JSON.stringify(task),
      sealed,
    )
    .one()
}

export const listSchedules = (sql: SqlStorage): ScheduleRow[] =>
  sql.exec<ScheduleRow>('SELECT name, cron, timezone, next_at FROM schedules ORDER BY name').toArray()

/** Whether there was one. */
export const removeSchedule = (sql: SqlStorage, name: string): boolean =>
  sql.exec('DELETE FROM schedules WHERE name = ? RETURNING name', name).toArray().length > 0

/**
 * Makes the tasks of all schedules whose time has come. Times that passed while nothing ran count once, and one whose
 * last task still waits in line is passed over: a worker that is behind or paused does not drown in repeats. Gives the time
 * of the next, in milliseconds.
 */
export function runSchedules(sql: SqlStorage, now: number, onWaiting?: (row: TaskRow) => void): number {
  const due = sql
    .exec<WholeRow>(`SELECT * FROM schedules WHERE next_at IS NOT NULL AND next_at <= ? LIMIT ${mostAtOnce}`, now)
    .toArray()
  for (const { name, cron, timezone, next_at, task, sealed } of due) {
    const waits = sql.exec(
      `SELECT 1 FROM (SELECT state FROM tasks WHERE schedule = ? ORDER BY id DESC LIMIT 1) WHERE state = 'waiting'`,
      name,
    )
    if (waits.toArray().length === 0) {
      const row = insertRow(sql, { ...postingAt(next_at!, task), sealed, kind: 'task', schedule: name }, now)
      onWaiting?.(row)
    }
    sql.exec('UPDATE schedules SET next_at = ? WHERE name = ?', nextTime(cron, timezone, now), name)
  }
  const { at } = sql.exec<{ at: number | null }>('SELECT min(next_at) AS at FROM schedules').one()
  return at ?? Number.POSITIVE_INFINITY
}

/** What a schedule makes its tasks from, as of when one is due. */
function postingAt(due_at: number, task: string): Omit<Posting, 'sealed'> {
  const posting = JSON.parse(task) as Omit<Posting, 'sealed'>
  const { expires_at = null } = posting
  return { ...posting, due_at, expires_at: expires_at && due_at + expires_at - posting.due_at }
}
