import type { State } from './contract.ts'
import { endExpired, isExpired } from './expiry.ts'
import { append, clearJournal, type Entry, readJournal } from './journal.ts'
import {
  type Done,
  dueRows,
  isDone,
  type Lease,
  leaseOf,
  leaseRow,
  markDone,
  markRunning,
  recover,
  settle,
} from './leases.ts'
import type { Outcome } from './perform.ts'
import type { Row } from './tables.ts'

/** How many due rows are read at once. */
const ahead = 64

/**
 * The line of a backlog, as daemons take from it. That a task is leased and that it is done is written into a journal, one
 * small entry for all that happens in a step, and from there into the table, many tasks at a time: a step costs the pages
 * that it writes, and the table with its indexes would be four. What is not so simple is written into the table at once.
 * Who reads or changes the table in another way calls `fold` first.
 */
export class Line {
  /** What was taken back at the beginning, by the states that it is in since. */
  readonly recovered: (State | undefined)[]
  readonly #sql: SqlStorage
  #due: Row[] = []
  /** Leased and done according to the journal alone. */
  readonly #leased = new Map<number, number>()
  #done: Done[] = []
  #step = nothingYet()

  /** Begins where the last process ended: what it had leased is lost, or due again. */
  constructor(sql: SqlStorage, now: number) {
    this.#sql = sql
    for (const entry of readJournal(sql)) this.#replay(entry)
    this.fold()
    this.recovered = recover(sql, now)
  }

  /** Leases the first that is due; nothing where nothing is. */
  take(now: number): Lease | undefined {
    for (;;) {
      const row = this.#due.shift() ?? this.#readAhead(now)
      if (!row) return undefined
      if (isExpired(row, now)) continue
      // Secrets are to be gone when their task ends, and not when the table is next brought up to date.
      const isSimple = row.kind === 'task' && row.is_sealed === 0
      const lease = isSimple ? this.#lease(row, now) : leaseRow(this.#sql, row, now)
      if (lease) return lease
    }
  }

  /** Records what became of a request, and gives the state that the task is in now. */
  settle(lease: Lease, outcome: Outcome, now: number): State | undefined {
    const started_at = this.#leased.get(lease.task)
    if (started_at !== undefined && isDone(outcome)) {
      this.#leased.delete(lease.task)
      this.#done.push({ task: lease.task, status: outcome.status!, started_at, ended_at: now })
      this.#step.done.push([lease.task, outcome.status!])
      return 'done'
    }
    if (started_at !== undefined) this.fold()
    return settle(this.#sql, lease, outcome, now)
  }

  /** Writes down what was leased and done since the last time: before any of these requests is made. */
  commit(now: number): void {
    const { done, leased } = this.#step
    if (done.length + leased.length > 0) append(this.#sql, [now, done, leased])
    this.#step = nothingYet()
  }

  /** Says that a row was put in that is due at this time: it may come before those that were read ahead. */
  heed(due_at: number): void {
    if (this.#due.length > 0 && due_at < this.#due.at(-1)!.due_at) this.#due = []
  }

  /** Brings the table up to date, which empties the journal. */
  fold(): void {
    this.#due = []
    if (this.#leased.size + this.#done.length === 0) return
    for (const done of this.#done) markDone(this.#sql, done)
    for (const [task, started_at] of this.#leased) markRunning(this.#sql, task, started_at)
    clearJournal(this.#sql)
    this.#done = []
    this.#leased.clear()
    this.#step = nothingYet()
  }

  #readAhead(now: number): Row | undefined {
    this.fold()
    endExpired(this.#sql, now)
    this.#due = dueRows(this.#sql, ahead, now)
    return this.#due.shift()
  }

  #lease(row: Row, now: number): Lease {
    this.#leased.set(row.id, now)
    this.#step.leased.push(row.id)
    const taken = { ...row, attempts: row.attempts + 1 }
    return leaseOf(this.#sql, taken, taken)
  }

  #replay([at, done, leased]: Entry) {
    for (const [task, status] of done) {
      this.#done.push({ task, status, started_at: this.#leased.get(task)!, ended_at: at })
      this.#leased.delete(task)
    }
    for (const task of leased) this.#leased.set(task, at)
  }
}

const nothingYet = (): { done: Entry[1]; leased: Entry[2] } => ({ done: [], leased: [] })
