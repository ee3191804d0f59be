import type { TaskState } from './contract.ts'
import { countMoved } from './counts.ts'
import { endExpired, hasExpired, isExpired } from './expiry.ts'
import { FlowScheduler } from './flow-scheduler.ts'
import { addHold, type Hold, holdsOf } from './holds.ts'
import { append, clearJournal, type JournalEntry, readJournal } from './journal.ts'
import { type Done, isDone, type Lease, leaseOf, leaseRow, markDone, markRunning, recover, settle } from './leases.ts'
import type { RequestOutcome } from './perform.ts'
import type { TaskRow } from './tables.ts'

/** How many tasks are leased or done in the journal alone before it is written into the table. */
const journaledTasks = 64

/** How many expired rows `take` passes over before it lets others have their turn. */
const maxSkippedRows = 1_000

/** How a worker takes its tasks. */
export interface LineSettings {
  /** Tasks of one flow key that run at a time. */
  keyConcurrency?: number
  /** Whether no task starts before the deadline of a request that was lost in a crash. */
  isSerial?: boolean
}

/**
 * The line of a backlog, as daemons take from it. That a task is leased and that it is done is written into a journal, one
 * small entry for all that happens in a step, and from there into the table, many tasks at a time: a step costs the pages
 * that it writes, and the table with its indexes would be four. What is not so simple is written into the table at once.
 * Who reads or changes the table in another way calls `fold` first.
 */
export class Line {
  /** What was taken back at the beginning, by the states that it is in since. */
  readonly recovered: (TaskState | undefined)[]
  /** Until when daemons rest that slept, or made a request that was lost, when the last process ended. */
  readonly resting: number[]
  readonly #sql: SqlStorage
  readonly #flows: FlowScheduler
  /** Slots of flow keys that lost requests still hold, the first to end first. */
  #holds: Hold[]
  /** Leased and done according to the journal alone. */
  readonly #leased = new Map<number, number>()
  #done = new Map<number, Done>()
  #step = nothingYet()

  /** Begins where the last process ended: what it had leased is lost, or due again. */
  constructor(sql: SqlStorage, now: number, { keyConcurrency, isSerial = false }: LineSettings = {}) {
    this.#sql = sql
    for (const entry of readJournal(sql)) this.#replay(entry)
    this.#writeJournal()
    this.recovered = recover(sql, now, isSerial)
    const isPending = (task: number) => this.#leased.has(task) || this.#done.has(task)
    this.#flows = new FlowScheduler(sql, { now, limit: keyConcurrency ?? Number.POSITIVE_INFINITY, isPending })
    const holds = holdsOf(sql, now)
    this.resting = holds.filter(({ is_daemon }) => is_daemon === 1).map(({ until }) => until)
    this.#holds = holds.filter(({ key }) => key !== null)
    for (const { key } of this.#holds) this.#flows.start(key)
  }

  /** Finds what has become due by `now`, and ends what has expired. Call it once per step, before `take`. */
  advance(now: number): void {
    while (this.#holds[0] && this.#holds[0].until <= now) this.#flows.end(this.#holds.shift()!.key)
    if (hasExpired(this.#sql, now)) {
      this.#writeJournal()
      endExpired(this.#sql, now)
    }
    this.#flows.advance(now)
  }

  /** Leases the next due task in turn; nothing where none may run. */
  take(now: number): Lease | undefined {
    if (this.#leased.size + this.#done.size >= journaledTasks) this.#writeJournal()
    for (let skipped = 0; skipped < maxSkippedRows; skipped++) {
      const row = this.#flows.next(now)
      if (!row) break
      if (isExpired(row, now)) continue
      // Secrets are to be gone when their task ends, and not when the table is next brought up to date.
      const isSimple = row.kind === 'task' && row.is_sealed === 0
      const lease = isSimple ? this.#lease(row, now) : leaseRow(this.#sql, row, now)
      if (row.kind === 'fraction') this.heed({ ...row, due_at: now })
      if (!lease) continue
      this.#flows.start(lease.key)
      return lease
    }
    this.#writeJournal()
    return undefined
  }

  /** Records what became of a request, and gives the state that the task is in now. */
  settle(lease: Lease, outcome: RequestOutcome, now: number): TaskState | undefined {
    this.#release(lease, outcome, now)
    if (lease.sleep > 0) addHold(this.#sql, { until: now + lease.sleep, key: null, is_daemon: 1 }, now)
    const started_at = this.#leased.get(lease.task)
    if (started_at !== undefined && isDone(outcome)) {
      this.#leased.delete(lease.task)
      this.#done.set(lease.task, { task: lease.task, status: outcome.status!, started_at, ended_at: now })
      this.#step.done.push([lease.task, outcome.status!])
      return 'done'
    }
    if (started_at !== undefined) this.#writeJournal()
    return settle(this.#sql, lease, outcome, now, (row) => this.heed(row))
  }

  /** Writes down what was leased and done since the last time: before any of these requests is made. */
  commit(now: number): void {
    const { done, leased } = this.#step
    if (done.length + leased.length > 0) append(this.#sql, [now, done, leased])
    this.#step = nothingYet()
  }

  /** Says that a row waits that did not before, or not at this time. */
  heed(row: Pick<TaskRow, 'key' | 'due_at' | 'id'>): void {
    this.#flows.heed(row)
  }

  /** When `take` may have something again, after it had nothing. */
  nextDue(now: number): number {
    return Math.min(this.#flows.nextDue(now), this.#holds[0]?.until ?? Number.POSITIVE_INFINITY)
  }

  /** Brings the table up to date, which empties the journal. */
  fold(): void {
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
    this.#step = nothingYet()
  }

  /** Gives back the slot of a key; that of a lost request only at its deadline. */
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
    const taken = { ...row, attempts: row.attempts + 1, started_at: now }
    return leaseOf(this.#sql, taken, taken)
  }

  #replay([at, done, leased]: JournalEntry) {
    for (const [task, status] of done) {
      this.#done.set(task, { task, status, started_at: this.#leased.get(task)!, ended_at: at })
      this.#leased.delete(task)
    }
    for (const task of leased) this.#leased.set(task, at)
  }
}

const nothingYet = (): { done: JournalEntry[1]; leased: JournalEntry[2] } => ({ done: [], leased: [] })
