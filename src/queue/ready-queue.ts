// Leases due tasks to daemons and records the results, first in a journal (write-ahead log), then in the task rows.
import type { TaskState } from './contract.ts'
import { countMoved } from './counts.ts'
import { endExpired, hasExpired, isExpired } from './expiry.ts'
import type { FlowLimits } from './flow-keys.ts'
import { FlowScheduler } from './flow-scheduler.ts'
import { addHold, type Hold, holdsOf, restAfter } from './holds.ts'
import { type Done, isDone, type Lease, leaseOf, leaseRow, markDone, markRunning, recover, settle } from './leases.ts'
import type { TaskRow } from './tables.ts'
import type { RequestOutcome } from './task-request.ts'

/** Table of the journal: a write-ahead log of leases and successes that are not yet written to the rows of their tasks. */
export const createJournal = 'CREATE TABLE journal (n INTEGER PRIMARY KEY, entry TEXT NOT NULL)'

/** One step of the backlog: its time in milliseconds since 1970, the tasks that succeeded with the response (its status, and its `StoredResponse`), and the tasks leased. */
type JournalEntry = [at: number, done: [task: number, status: number, response?: string][], leased: number[]]

/** Number of tasks in the journal at which they are written to their rows, in one batch. */
const maxJournaledTasks = 64

/** Expired rows that one call of `leaseNext` skips, so that it does not block other work. */
const maxSkippedRows = 1_000

/** The limits by which a worker leases tasks. `isStrict`: the daemon of a lost request takes no task before the deadline of the request. */
export type QueueLimits = FlowLimits & { isStrict?: boolean }

/**
 * The due tasks of a worker, in the order in which daemons get them. Leases and successes of plain tasks go to a journal (one
 * small row per step), and from there to the task rows in batches. A step costs the database pages that it writes: one for the
 * journal, four for a row with its indexes. All other changes go to the rows at once. Code that reads or changes the rows in any
 * other way must call `flush` first.
 *
 * Invariants between two steps: `#leased` and `#done` are what the stored journal says; the row of each task in `#leased` and
 * `#done` still says `waiting`; `#step` is empty.
 */
export class ReadyQueue {
  /** The states that `recover` gave to the tasks whose requests the last crash interrupted, for the metrics. */
  readonly recovered: TaskState[]
  /** Times until which daemons must sleep, the latest first, since the last process ended in a `sleep` or lost a request. In milliseconds since 1970. */
  readonly daemonHolds: number[]
  readonly #sql: SqlStorage
  readonly #flows: FlowScheduler
  #isStrict: boolean
  /** Slots of flow keys that lost requests still hold, sorted by the time at which they are freed. */
  #holds: Hold[]
  /** Tasks that are running according to the journal only, with their start times. */
  readonly #leased = new Map<number, number>()
  /** Tasks that are done according to the journal only. */
  readonly #done = new Map<number, Done>()
  /** Changes since the last `commit`. */
  #step = emptyStep()

  /** Replays the journal; tasks that were running when the last process ended become lost, or due again. */
  constructor(sql: SqlStorage, now: number, { isStrict = false, ...limits }: QueueLimits = {}) {
    this.#sql = sql
    this.#isStrict = isStrict
    for (const entry of readJournal(sql)) this.#replay(entry)
    this.#writeJournal()
    const retried: TaskRow[] = []
    this.recovered = recover(sql, now, isStrict, (row) => retried.push(row))
    const isPending = (task: number) => this.#leased.has(task) || this.#done.has(task)
    this.#flows = new FlowScheduler(sql, { now, limits, isPending })
    // The new rows are callbacks, which are not retried.
    for (const { key, id, attempts } of retried) if (attempts > 0) this.#flows.keys.blockFor(key, id)
    this.#flows.keys.save()
    const holds = holdsOf(sql, now)
    this.daemonHolds = holds
      .filter(({ is_daemon }) => is_daemon === 1)
      .map(({ until }) => until)
      .reverse()
    this.#holds = holds.filter(({ key }) => key !== null)
    for (const { key } of this.#holds) this.#flows.keys.hold(key!)
  }

  /** Applies other limits from now on. */
  configure({ isStrict = false, ...limits }: QueueLimits, now: number): void {
    this.#isStrict = isStrict
    this.#flows.configure(limits, now)
  }

  /** Deletes the stored states of flow keys that no longer matter. */
  cleanUp(now: number): Promise<void> {
    return this.#flows.keys.cleanUp(now)
  }

  /** Finds tasks that have become due by `now` and ends expired ones. Call it once per step, before `leaseNext`. */
  advance(now: number): void {
    while (this.#holds[0] && this.#holds[0].until <= now) this.#flows.end(this.#holds.shift()!.key)
    if (hasExpired(this.#sql, now)) {
      this.#writeJournal()
      endExpired(this.#sql, now, (row) => this.noteWaiting(row))
    }
    this.#flows.advance(now)
  }

  /** Leases the next due task; undefined if none may run. */
  leaseNext(now: number): Lease | undefined {
    if (this.#leased.size + this.#done.size >= maxJournaledTasks) this.#writeJournal()
    for (let skipped = 0; skipped < maxSkippedRows; skipped++) {
      const row = this.#flows.next(now)
      if (!row) break
      if (isExpired(row, now)) continue
      // The secrets of a task must be deleted when the task ends, not when the journal is next written to the table.
      // A callback must be stored when the task ends, too.
      const isPlain = row.kind === 'task' && row.is_sealed === 0 && row.on_success === null
      const lease = isPlain ? this.#lease(row, now) : leaseRow(this.#sql, row, now)
      if (row.kind === 'fraction') this.noteWaiting({ ...row, due_at: now })
      if (!lease) continue
      this.#flows.keys.start(lease.key, now)
      return lease
    }
    this.#writeJournal()
    return undefined
  }

  /** Records the outcome of a request and returns the new state of its task. */
  settle(lease: Lease, outcome: RequestOutcome, now: number): TaskState | undefined {
    this.#flows.record(lease.key, outcome, now)
    const state = this.#settleRow(lease, outcome, now)
    if (state === 'waiting') this.#flows.keys.blockFor(lease.key, lease.task)
    else this.#flows.keys.unblock(lease.key, lease.task)
    this.#release(lease, outcome, now)
    return state
  }

  #settleRow(lease: Lease, outcome: RequestOutcome, now: number): TaskState | undefined {
    const restMs = restAfter(lease, outcome, this.#isStrict, now)
    if (restMs > 0) addHold(this.#sql, { until: now + restMs, key: null, is_daemon: 1 }, now)
    const started_at = this.#leased.get(lease.task)
    if (started_at !== undefined && isDone(outcome)) {
      this.#leased.delete(lease.task)
      const { status, response } = outcome
      this.#done.set(lease.task, {
        task: lease.task,
        status: status!,
        response: response ?? null,
        started_at,
        ended_at: now,
      })
      this.#step.done.push(response === undefined ? [lease.task, status!] : [lease.task, status!, response])
      return 'done'
    }
    if (started_at !== undefined) this.#writeJournal()
    return settle(this.#sql, lease, outcome, now, (row) => this.noteWaiting(row))
  }

  /** Appends the changes of this step to the journal. Must run before any of the leased requests is sent. */
  commit(now: number): void {
    const { done, leased } = this.#step
    this.#flows.keys.save()
    if (done.length + leased.length > 0) appendEntry(this.#sql, [now, done, leased])
    this.#step = emptyStep()
  }

  /** Must be called for each row that is new, waits again or has a new due time. Otherwise the row may not be found. */
  noteWaiting(row: Pick<TaskRow, 'key' | 'due_at' | 'id' | 'priority'>): void {
    this.#flows.noteWaiting(row)
  }

  /** When `leaseNext` may return a task again after it returned none, in milliseconds since 1970. */
  nextDue(now: number): number {
    return Math.min(this.#flows.nextDue(now), this.#holds[0]?.until ?? Number.POSITIVE_INFINITY)
  }

  /** Writes the journal to the rows and drops the rows that were read ahead. Call it before other code reads or changes the table. */
  flush(): void {
    this.#flows.invalidate()
    this.#writeJournal()
  }

  #writeJournal(): void {
    if (this.#leased.size + this.#done.size === 0) return
    for (const done of this.#done.values()) markDone(this.#sql, done)
    for (const [task, started_at] of this.#leased) markRunning(this.#sql, task, started_at)
    countMoved(this.#sql, 'task', ['waiting', 'done'], this.#done.size)
    countMoved(this.#sql, 'task', ['waiting', 'running'], this.#leased.size)
    clearJournal(this.#sql)
    this.#done.clear()
    this.#leased.clear()
    this.#step = emptyStep()
  }

  /** Frees the slot of a flow key. After a lost request only at its deadline, since the target may still be working on it. */
  #release({ key, started_at, timeout }: Lease, { error }: RequestOutcome, now: number): void {
    const until = started_at + timeout
    if (error === 'lost' && key !== null && until > now) {
      const hold = { until, key, is_daemon: 0 }
      addHold(this.#sql, hold, now)
      this.#holds = [...this.#holds, hold].sort((a, b) => a.until - b.until)
    } else this.#flows.end(key)
  }

  #lease(row: TaskRow, now: number): Lease {
    this.#leased.set(row.id, now)
    this.#step.leased.push(row.id)
    const running = { ...row, attempts: row.attempts + 1, started_at: now }
    return leaseOf(this.#sql, running, running)
  }

  #replay([at, done, leased]: JournalEntry) {
    for (const [task, status, response = null] of done) {
      this.#done.set(task, { task, status, response, started_at: this.#leased.get(task)!, ended_at: at })
      this.#leased.delete(task)
    }
    for (const task of leased) this.#leased.set(task, at)
  }
}

const emptyStep = (): { done: JournalEntry[1]; leased: JournalEntry[2] } => ({ done: [], leased: [] })

function appendEntry(sql: SqlStorage, entry: JournalEntry): void {
  sql.exec('INSERT INTO journal (entry) VALUES (?)', JSON.stringify(entry))
}

/** All entries of the journal, the oldest first. */
const readJournal = (sql: SqlStorage): JournalEntry[] =>
  sql
    .exec<{ entry: string }>('SELECT entry FROM journal ORDER BY n')
    .toArray()
    .map(({ entry }) => JSON.parse(entry) as JournalEntry)

function clearJournal(sql: SqlStorage): void {
  sql.exec('DELETE FROM journal')
}
