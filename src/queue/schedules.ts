// Schedules, which create tasks at the times of a cron expression: stores, lists and runs them.
import { Cron } from 'croner'
import { invalid } from '#core/failure'
import { failure } from './errors.ts'
import type { TaskRow } from './tables.ts'
import type { TaskRecord } from './task-record.ts'
import { insertTask } from './tasks.ts'

/**
 * Migration that adds the pause of a schedule, its rules for overlapping and missed runs, and its last run. A trigger keeps the result of
 * the last run when the retention deletes its task.
 */
export const addScheduleControls = `
ALTER TABLE schedules ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE schedules ADD COLUMN overlap TEXT NOT NULL DEFAULT 'queue';
ALTER TABLE schedules ADD COLUMN catch_up TEXT NOT NULL DEFAULT 'one';
ALTER TABLE schedules ADD COLUMN skipped INTEGER NOT NULL DEFAULT 0;
ALTER TABLE schedules ADD COLUMN method TEXT NOT NULL DEFAULT '';
ALTER TABLE schedules ADD COLUMN url TEXT NOT NULL DEFAULT '';
ALTER TABLE schedules ADD COLUMN last_task INTEGER;
ALTER TABLE schedules ADD COLUMN last_run TEXT;
UPDATE schedules SET method = json_extract(task, '$.method'), url = json_extract(task, '$.url'),
  last_task = (SELECT max(id) FROM tasks INDEXED BY tasks_schedule WHERE schedule IS NOT NULL AND schedule = name);
CREATE TRIGGER tasks_of_schedules AFTER DELETE ON tasks WHEN OLD.schedule IS NOT NULL BEGIN
  UPDATE schedules SET last_run = json_object('due_at', OLD.due_at, 'started_at', OLD.started_at, 'ended_at', OLD.ended_at,
    'state', OLD.state, 'status', OLD.status, 'error', OLD.error) WHERE name = OLD.schedule AND last_task = OLD.id;
END;
`

/** A row of `schedules` without its task. */
export type ScheduleRow = {
  name: string
  cron: string
  timezone: string
  next_at: number | null
  is_paused: number
  overlap: 'skip' | 'queue'
  catch_up: 'none' | 'one' | 'all'
  /** Number of times at which no task was created, since the previous one had not ended. */
  skipped: number
  method: string
  url: string
  last_task: number | null
  /** Result of the last run as JSON (`LastRun`); NULL if there was none. */
  last_run: string | null
}

/** The result of the last run of a schedule. Times are milliseconds since 1970. */
export type LastRun = Pick<TaskRow, 'due_at' | 'started_at' | 'ended_at' | 'state' | 'status' | 'error'>

const columns = 'name, cron, timezone, next_at, is_paused, overlap, catch_up, skipped, method, url, last_task, last_run'

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

export interface NewSchedule extends Pick<ScheduleRow, 'name' | 'cron' | 'timezone'> {
  record: TaskRecord
  overlap?: ScheduleRow['overlap']
  catch_up?: ScheduleRow['catch_up']
}

/** Maximum number of schedules of a worker, and of schedules that create their tasks in one step, so that a step stays short. */
const maxSchedules = 1_000
const maxPerStep = 20

/** Creates a schedule, or replaces the one of the same name, which stays paused if it is. 409 if the worker has too many. */
export function setSchedule(
  sql: SqlStorage,
  { name, cron, timezone, record, overlap = 'queue', catch_up = 'one' }: NewSchedule,
  now: number,
): ScheduleRow {
  const { n } = sql.exec<{ n: number }>('SELECT count(*) AS n FROM schedules WHERE name <> ?', name).one()
  if (n >= maxSchedules) throw failure('too_many_schedules')
  const { sealed, ...task } = record
  const { method, url } = task
  sql.exec(
    `INSERT INTO schedules (name, cron, timezone, next_at, task, sealed, overlap, catch_up, method, url)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET cron = excluded.cron, timezone = excluded.timezone, task = excluded.task,
       sealed = excluded.sealed, overlap = excluded.overlap, catch_up = excluded.catch_up, method = excluded.method,
       url = excluded.url, next_at = CASE is_paused WHEN 0 THEN excluded.next_at END`,
    ...[name, cron, timezone, nextTime(cron, timezone, now), stored(task), sealed],
    ...[overlap, catch_up, method, url],
  )
  return findSchedule(sql, name)!
}

/** The result of a run while its task is stored; `last_run` has it after its deletion. */
const lastRun = `coalesce((SELECT json_object('due_at', due_at, 'started_at', started_at, 'ended_at', ended_at, 'state', state,
  'status', status, 'error', error) FROM tasks WHERE id = last_task), last_run) AS last_run`
const shownColumns = columns.replace(/last_run$/, lastRun)

export const listSchedules = (sql: SqlStorage): ScheduleRow[] =>
  sql.exec<ScheduleRow>(`SELECT ${shownColumns} FROM schedules ORDER BY name`).toArray()

/** Finds a schedule by its name. */
const findSchedule = (sql: SqlStorage, name: string): ScheduleRow | undefined =>
  sql.exec<ScheduleRow>(`SELECT ${shownColumns} FROM schedules WHERE name = ?`, name).toArray()[0]

/** Pauses or resumes a schedule; undefined if none has the name. Times that pass during the pause are not made up for. */
export function pauseSchedule(sql: SqlStorage, name: string, isPaused: boolean, now: number): ScheduleRow | undefined {
  const row = findSchedule(sql, name)
  if (!row || row.is_paused === Number(isPaused)) return row
  const next = isPaused ? null : nextTime(row.cron, row.timezone, now)
  sql.exec('UPDATE schedules SET is_paused = ?, next_at = ? WHERE name = ?', Number(isPaused), next, name)
  return findSchedule(sql, name)
}

/** Creates the task of a schedule now; undefined if none has the name. */
export function runSchedule(sql: SqlStorage, name: string, now: number): TaskRow | undefined {
  const [row] = sql.exec<ScheduleWithTask>(`SELECT ${columns}, task, sealed FROM schedules WHERE name = ?`, name)
  return row && insertRun(sql, row, now, now)
}

export const hasSchedules = (sql: SqlStorage): boolean =>
  sql.exec('SELECT 1 FROM schedules LIMIT 1').toArray().length > 0

/** Deletes a schedule; returns false if none has the name. */
export const deleteSchedule = (sql: SqlStorage, name: string): boolean =>
  sql.exec('DELETE FROM schedules WHERE name = ? RETURNING name', name).toArray().length > 0

/** A time is missed after this long. */
const missedAfterMs = 60_000

/** With `catch_up` `all`, times that were missed longer ago create no tasks. */
const maxCatchUpMs = 86_400_000

/**
 * Creates the tasks of all schedules that are due, and returns the time of the next schedule in milliseconds since 1970. By default several
 * missed times of a schedule create one task, and a schedule whose last task still waits creates none, so that a worker that is
 * behind or paused does not collect copies.
 */
export function runSchedules(sql: SqlStorage, now: number, onWaiting?: (row: TaskRow) => void): number {
  const due = sql
    .exec<ScheduleWithTask>(
      `SELECT ${columns}, task, sealed FROM schedules WHERE next_at IS NOT NULL AND next_at <= ? LIMIT ${maxPerStep}`,
      now,
    )
    .toArray()
  for (const row of due) {
    const { name, cron, timezone } = row
    const at = runTime(row, now)
    const isSkipped = at !== null && isBlocked(sql, row)
    if (at !== null && !isSkipped) {
      const task = insertRun(sql, row, at, now)
      onWaiting?.(task)
    }
    const next = nextTime(cron, timezone, row.catch_up === 'all' ? (at ?? now) : now)
    sql.exec('UPDATE schedules SET next_at = ?, skipped = skipped + ? WHERE name = ?', next, Number(isSkipped), name)
  }
  const { at } = sql.exec<{ at: number | null }>('SELECT min(next_at) AS at FROM schedules').one()
  return at ?? Number.POSITIVE_INFINITY
}

/** The time for which a due schedule creates its next task; null if all its times were missed and it does not make up for them. */
function runTime({ cron, timezone, next_at, catch_up }: ScheduleRow, now: number): number | null {
  const age = now - next_at!
  const maxAge = catch_up === 'none' ? missedAfterMs : catch_up === 'all' ? maxCatchUpMs : age
  if (age <= maxAge) return next_at
  const first = nextTime(cron, timezone, now - maxAge)
  return first !== null && first <= now ? first : null
}

/** Whether the previous task of a schedule prevents the next one. */
function isBlocked(sql: SqlStorage, { name, overlap, catch_up }: ScheduleRow): boolean {
  const [last] = sql.exec<Pick<TaskRow, 'state'>>(
    'SELECT state FROM tasks WHERE schedule = ? ORDER BY id DESC LIMIT 1',
    name,
  )
  if (overlap === 'skip') return last?.state === 'waiting' || last?.state === 'running'
  return catch_up !== 'all' && last?.state === 'waiting'
}

function insertRun(sql: SqlStorage, { name, task, sealed }: ScheduleWithTask, due: number, now: number): TaskRow {
  const row = insertTask(sql, { ...recordAt(due, task), sealed, kind: 'task', schedule: name }, now)
  sql.exec('UPDATE schedules SET last_task = ?, last_run = NULL WHERE name = ?', row.id, name)
  return row
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
    `SELECT ${columns}, task, sealed FROM schedules WHERE name > ? ORDER BY name`,
    after,
  ))
    yield { ...row, task: { ...taskOf(task), sealed } }
}
