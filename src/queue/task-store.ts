// The calls on stored tasks and schedules, which need no daemon: the part of a backlog that reads and changes its tables.
import { DurableObject } from 'cloudflare:workers'
import { describe, log } from '#core/http/log'
import type { Person } from '#core/person/places'
import { type AttemptRow, listAttempts } from './attempts.ts'
import {
  addOperation,
  type BulkAction,
  countMatches,
  failOperation,
  findOperation,
  nextOperation,
  type OperationRow,
  stepOperation,
} from './bulk-operations.ts'
import type { QueueVariables } from './env.ts'
import { failure } from './errors.ts'
import { addOnce } from './idempotency-keys.ts'
import { findSchedules, type ScheduleMatches } from './person-schedules.ts'
import { erasePayloads, findMentions, isSendingErased, type TaskMatches } from './person-tasks.ts'
import { hasRoom } from './retention.ts'
import {
  deleteSchedule,
  listSchedules,
  type NewSchedule,
  pauseSchedule,
  runSchedule,
  type ScheduleRow,
  setSchedule,
} from './schedules.ts'
import type { TaskRow } from './tables.ts'
import { cancelTask, retryTask } from './task-actions.ts'
import { type ListRequest, listRows } from './task-list.ts'
import type { TaskRecord } from './task-record.ts'
import type { ScanFilter } from './task-scan.ts'
import { failedPieces, findTask, insertTask } from './tasks.ts'

/**
 * Sizes of the database, which has at most 10 GB. Above `fullAtBytes` a new task needs ended tasks to be deleted for it; above
 * `refusedAtBytes` new tasks are refused.
 */
const capacity = { fullAtBytes: 9_500_000_000, refusedAtBytes: 9_800_000_000 }

/** New tasks for which ended tasks are deleted at once if the database is full. */
const tasksPerRoom = 100

/** The base class of a backlog: its tables, and the calls that read and change them. The backlog adds the daemons. */
export abstract class TaskStore<Env extends QueueVariables> extends DurableObject<Env> {
  protected readonly sql = this.ctx.storage.sql
  #operating: Promise<void> | undefined

  /** Writes the journal to the table. Call it before the table is read or changed: its rows of running tasks still say `waiting`. */
  protected abstract flush(): void
  /** Runs a step in a transaction. If it fails, memory and storage differ, so the object is reset and starts from storage. */
  protected abstract store<T>(step: () => T): T
  /** Starts due tasks and sets the alarm. */
  protected abstract work(): void
  /** Must be called for each row that is new, waits again or has a new due time. */
  protected abstract noteWaiting(row: TaskRow): void
  /** Throws 503 `worker_changing` unless this object accepts the tasks of a worker with this number of shards. */
  protected abstract assertOpen(shards: number): void
  /** Prevents the eviction of the object for some seconds. */
  protected abstract keepAwake(): void
  /** Must be called when a schedule was created or changed. */
  protected abstract noteSchedules(): void

  setSchedule(schedule: NewSchedule, shards: number): ScheduleRow {
    this.assertOpen(shards)
    this.assertRoom()
    const row = setSchedule(this.sql, schedule, Date.now())
    this.noteSchedules()
    this.work()
    return row
  }

  /** Pauses or resumes a schedule; undefined if none has the name. */
  pauseSchedule(name: string, isPaused: boolean): ScheduleRow | undefined {
    const row = pauseSchedule(this.sql, name, isPaused, Date.now())
    this.noteSchedules()
    this.work()
    return row
  }

  /** Creates the task of a schedule now, and returns its number; undefined if none has the name. */
  runSchedule(name: string): number | undefined {
    this.assertRoom()
    const row = runSchedule(this.sql, name, Date.now())
    if (!row) return undefined
    this.noteWaiting(row)
    this.work()
    return row.id
  }

  listSchedules(): ScheduleRow[] {
    this.flush()
    return listSchedules(this.sql)
  }

  /** Deletes a schedule; returns false if none has the name. */
  deleteSchedule(name: string): boolean {
    return deleteSchedule(this.sql, name)
  }

  find(number: number): { row: TaskRow; pieces: TaskRow[] } {
    this.flush()
    const row = findTask(this.sql, number)
    return { row, pieces: row.kind === 'fraction' ? failedPieces(this.sql, number) : [] }
  }

  /** The last attempts of a task after a number, and whether more follow. */
  attempts(
    number: number,
    { after, limit }: { after: number; limit: number },
  ): { rows: AttemptRow[]; hasMore: boolean } {
    this.flush()
    findTask(this.sql, number)
    const rows = listAttempts(this.sql, number).filter(({ n }) => n > after)
    return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
  }

  list(filter: ListRequest) {
    this.flush()
    return listRows(this.sql, filter)
  }

  cancel(number: number): TaskRow {
    this.flush()
    cancelTask(this.sql, number, Date.now(), (row) => this.noteWaiting(row))
    this.work()
    return findTask(this.sql, number)
  }

  retry(number: number): TaskRow {
    this.flush()
    retryTask(this.sql, number, Date.now(), (row) => this.noteWaiting(row))
    this.noteWaiting(findTask(this.sql, number))
    this.work()
    return findTask(this.sql, number)
  }

  /** Finds the tasks after a number that mention a person, in a bounded step. `isErasure`: cancels them and erases their payloads. */
  async visitPerson(person: Person, after: number, isErasure: boolean): Promise<TaskMatches & { isSending: boolean }> {
    this.flush()
    const matches = await findMentions(this.sql, this.env.QUEUE_SECRET, person, after)
    this.flush()
    if (isErasure) {
      const waiting: TaskRow[] = []
      this.store(() => erasePayloads(this.sql, matches.tasks, Date.now(), (row) => waiting.push(row)))
      for (const row of waiting) this.noteWaiting(row)
      this.work()
    }
    return { ...matches, isSending: isErasure && isSendingErased(this.sql) }
  }

  /** Finds the schedules after a name whose tasks mention a person, in a bounded step. `isErasure`: deletes them. */
  async visitSchedules(person: Person, after: string, isErasure: boolean): Promise<ScheduleMatches> {
    const matches = await findSchedules(this.sql, this.env.QUEUE_SECRET, person, after)
    if (isErasure) for (const { name } of matches.schedules) deleteSchedule(this.sql, name)
    return matches
  }

  /** Adds tasks in one transaction, once per idempotency key. Returns the number of the first; the others follow it. */
  addTasks(records: TaskRecord[], shards: number, idempotencyKey?: string): number {
    this.assertOpen(shards)
    const now = Date.now()
    const added: TaskRow[] = []
    const first = this.ctx.storage.transactionSync(() =>
      addOnce(this.sql, idempotencyKey, now, () => {
        for (const [n, record] of records.entries()) {
          if (n % tasksPerRoom === 0) this.assertRoom()
          added.push(insertTask(this.sql, { ...record, kind: 'task' }, now))
        }
        return added[0]!.id
      }),
    )
    for (const row of added) this.noteWaiting(row)
    this.work()
    return first
  }

  /** Begins an operation on the tasks that match. */
  beginOperation(name: string, action: BulkAction, filter: ScanFilter) {
    addOperation(this.sql, { name, action, filter }, Date.now())
    this.continueOperations()
  }

  operation(name: string): OperationRow | undefined {
    return findOperation(this.sql, name)
  }

  /** Number of the tasks that an operation would match. */
  countMatches(action: BulkAction, filter: ScanFilter): Promise<number> {
    this.flush()
    return countMatches(this.sql, action, filter)
  }

  /** Runs the operations that have not ended, also those that a crash interrupted. */
  protected continueOperations() {
    this.#operating ??= this.#operate().finally(() => {
      this.#operating = undefined
    })
  }

  async #operate() {
    for (let operation = nextOperation(this.sql); operation; operation = nextOperation(this.sql)) {
      this.keepAwake()
      // Between two steps the object handles other work.
      await scheduler.wait(1)
      this.#step(operation)
    }
  }

  #step(operation: OperationRow) {
    const waiting: TaskRow[] = []
    this.flush()
    try {
      this.ctx.storage.transactionSync(() => stepOperation(this.sql, operation, Date.now(), (row) => waiting.push(row)))
    } catch (error) {
      log('error', { component: 'queue', route: 'operation', ...describe(error) })
      failOperation(this.sql, operation.id, Date.now())
      return
    }
    for (const row of waiting) this.noteWaiting(row)
    this.work()
  }

  protected assertRoom() {
    if (hasRoom(this.sql, capacity)) return
    throw failure('queue_full', undefined, { retryAfter: 60 })
  }
}
