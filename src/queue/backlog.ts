import { DurableObject } from 'cloudflare:workers'
import { describe, log } from '#core/http/log'
import { scheduleFlush } from '#core/metrics/flush'
import { migrate } from '#core/objects/migrate'
import { cancelRow } from './cancel.ts'
import type { TaskFilter, TaskState, Worker } from './contract.ts'
import { createCounts } from './counts.ts'
import { Daemons, type Ended, sizeOf } from './daemons.ts'
import type { QueueVariables } from './env.ts'
import { retentionOf, workersOf } from './env.ts'
import { failure, missing } from './errors.ts'
import { addFlowKey } from './flow-scheduler.ts'
import { createHolds } from './holds.ts'
import { createJournal } from './journal.ts'
import { addOnce, createKeys, forgetKeys } from './keys.ts'
import type { Lease } from './leases.ts'
import { Line } from './line.ts'
import { listRows } from './listing.ts'
import { countEnded, countOutcome } from './metrics.ts'
import type { Posting } from './posting.ts'
import { Rate } from './rate.ts'
import { createRemovals, deleteEnded, hasRoom } from './retention.ts'
import { retryRow } from './retry.ts'
import { listSchedules, removeSchedule, runSchedules, type ScheduleRow, setSchedule } from './schedules.ts'
import { addExpiry, addRequestId, createTables, type TaskRow } from './tables.ts'
import { type Columns, findRow, insertRow, unhappyPieces } from './tasks.ts'
import { Depths } from './waiting.ts'

interface BacklogEnv extends QueueVariables {
  /** Its own namespace: it calls itself. */
  BACKLOG: DurableObjectNamespace<Backlog>
}

/** While requests are under way the object is woken this often, so that it is not put away, and its limits begin anew. */
const heartbeat = 5_000

/** How many requests the object makes before it calls itself, for the same limits: a free plan allows 50 in one event. */
const requestsPerEvent = 40

/** What is due so soon is waited for in memory; an alarm would be less exact. */
const soon = 2_000

/** An alarm has to be within the time that the platform knows. */
const furthest = 30 * 86_400_000

/**
 * Bytes of the object's ten gigabytes: what has ended is deleted above the first and takes at most `maxEndedTasks`; above the second
 * no task is added that no ended one makes room for, and above the third none at all.
 */
const maxBytes = 8_000_000_000
const capacity = { fullAtBytes: 9_500_000_000, refusedAtBytes: 9_800_000_000 }
const maxEndedTasks = 5_000_000

/**
 * The tasks of one worker, and the daemons that make their requests. One object per worker's name: what is due is leased to a
 * daemon in storage before its request leaves, and recorded after; what held a lease when the object was cut off is taken back
 * when it begins again.
 */
export class Backlog extends DurableObject<BacklogEnv> {
  readonly #sql = this.ctx.storage.sql
  readonly #depths = new Depths(this.#sql)
  readonly #rate = new Rate()
  readonly #name: string
  readonly #daemons: Daemons
  readonly #line: Line
  #isPaused: boolean
  #cleaning: Promise<void> | undefined
  #alarmAt = Number.POSITIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined
  #requests = 0
  /** When the first schedule's time comes; 0 until that is known. */
  #nextSchedule = 0

  constructor(ctx: DurableObjectState, env: BacklogEnv) {
    super(ctx, env)
    migrate(ctx.storage, [
      createTables,
      createJournal,
      createKeys,
      addExpiry,
      addRequestId,
      addFlowKey,
      createHolds,
      createCounts,
      createRemovals,
    ])
    this.#name = nameOf(ctx)
    const { daemons, keyConcurrency } = workersOf(env).get(this.#name) ?? { daemons: 0, keyConcurrency: 1 }
    this.#daemons = new Daemons(this.#name, daemons, ctx, env, () => this.#work())
    this.#isPaused = ctx.storage.kv.get<boolean>('paused') ?? false
    this.#line = new Line(this.#sql, Date.now(), { keyConcurrency, isSerial: daemons === 1 })
    for (const until of this.#line.resting) this.#daemons.rest(until)
    this.#countEnded(this.#line.recovered)
  }

  /** Puts a task in line, once for each idempotency key; gives its number. */
  addTask(posting: Posting, idempotencyKey?: string): number {
    return this.#add({ ...posting, kind: 'task' }, idempotencyKey)
  }

  /** Puts a fraction in line, once for each idempotency key: one row, however large the range. */
  addFraction(posting: Posting, range: { min: number; max: number; gap: number }, idempotencyKey?: string): number {
    return this.#add({ ...posting, ...range, next: range.min, kind: 'fraction' }, idempotencyKey)
  }

  setSchedule(name: string, cron: string, timezone: string, posting: Posting): ScheduleRow {
    this.#assertRoom()
    const row = setSchedule(this.#sql, { name, cron, timezone, posting }, Date.now())
    this.#nextSchedule = 0
    this.#work()
    return row
  }

  listSchedules(): ScheduleRow[] {
    return listSchedules(this.#sql)
  }

  removeSchedule(name: string) {
    if (!removeSchedule(this.#sql, name)) throw missing('schedule', { name })
  }

  find(number: number): { row: TaskRow; pieces: TaskRow[] } {
    this.#upToDate()
    const row = findRow(this.#sql, number)
    return { row, pieces: row.kind === 'fraction' ? unhappyPieces(this.#sql, number) : [] }
  }

  list(asked: Omit<TaskFilter, 'worker'>) {
    this.#upToDate()
    return listRows(this.#sql, asked)
  }

  cancel(number: number): TaskRow {
    this.#upToDate()
    cancelRow(this.#sql, number, Date.now())
    return findRow(this.#sql, number)
  }

  retry(number: number): TaskRow {
    this.#upToDate()
    retryRow(this.#sql, number, Date.now())
    this.#line.heed(findRow(this.#sql, number))
    this.#work()
    return findRow(this.#sql, number)
  }

  /** Lets the daemons take nothing more, or go on. Requests that are under way end by themselves. */
  setPaused(isPaused: boolean) {
    this.ctx.storage.kv.put('paused', isPaused)
    this.#isPaused = isPaused
    this.#work()
  }

  /** How it is doing. */
  async measure(): Promise<Omit<Worker, 'name' | 'daemons' | 'per_key'>> {
    this.#upToDate()
    const now = Date.now()
    const { depth, due, oldest_due_at } = await this.#depths.at(now)
    const running = this.#daemons.busy
    return { depth, due, oldest_due_at, running, rate: this.#rate.perSecond(now), is_paused: this.#isPaused }
  }

  /** Sees to it that what is due is under way and that an alarm is set for the rest; ends what has expired, forgets what ended long ago. */
  async wake() {
    this.#work()
    this.#upToDate()
    this.#cleaning ??= this.#clean().finally(() => {
      this.#cleaning = undefined
    })
    await this.#cleaning
  }

  async #clean() {
    const now = Date.now()
    await forgetKeys(this.#sql, now, maxBytes)
    await deleteEnded(this.#sql, { before: now - retentionOf(this.env), maxEnded: maxEndedTasks, maxBytes })
  }

  /** Nothing but a new event, with limits of its own. */
  renew() {}

  override alarm() {
    this.#alarmAt = Number.POSITIVE_INFINITY
    this.#work()
  }

  #add(row: Columns, idempotencyKey: string | undefined): number {
    const number = addOnce(this.#sql, idempotencyKey, Date.now(), () => {
      this.#assertRoom()
      const added = insertRow(this.#sql, row, Date.now())
      this.#line.heed(added)
      return added.id
    })
    this.#work()
    return number
  }

  #assertRoom() {
    if (hasRoom(this.#sql, capacity)) return
    throw failure('queue_full', undefined, { retryAfter: 60 })
  }

  /** Records what has ended, leases what is due, and arms what comes next: all in one step, and so in one commit. */
  #work() {
    const now = Date.now()
    const ended = this.#daemons.takeEnded()
    const states: (TaskState | undefined)[] = []
    this.#daemons.send(this.#store(() => this.#record(ended, now, states)))
    for (const { outcome } of ended) countOutcome(this.#name, outcome)
    this.#countEnded(states)
    if (ended.length > 0) scheduleFlush(this.env)
    this.#rate.count(ended.length, now)
    this.#spend(ended.length)
    this.#arm(now)
  }

  /** Lets the table say what the journal does, for who reads or changes it. */
  #upToDate() {
    this.#store(() => this.#line.fold())
  }

  /** Does a step as a whole. Where it fails, what is in memory is no longer what is stored: the object begins again from there. */
  #store<T>(step: () => T): T {
    try {
      return this.ctx.storage.transactionSync(step)
    } catch (error) {
      log('error', { component: 'queue', route: 'work', worker: this.#name, ...describe(error) })
      this.ctx.abort('The queue could not store a step')
      throw error
    }
  }

  #record(ended: Ended[], now: number, states: (TaskState | undefined)[]): Lease[] {
    for (const { lease, outcome } of ended) states.push(this.#line.settle(lease, outcome, now))
    if (now >= this.#nextSchedule) {
      this.#line.fold()
      this.#nextSchedule = runSchedules(this.#sql, now, (row) => this.#line.heed(row))
    }
    this.#line.advance(now)
    const leases: Lease[] = []
    let room = this.#daemons.room
    while (!this.#isPaused && leases.length < this.#daemons.idle && room > 0) {
      const lease = this.#line.take(now)
      if (!lease) break
      leases.push(lease)
      room -= sizeOf(lease)
    }
    this.#line.commit(now)
    return leases
  }

  #countEnded(states: (TaskState | undefined)[]) {
    for (const state of states) if (state && state !== 'waiting') countEnded(this.#name, state)
  }

  #spend(requests: number) {
    this.#requests += requests
    if (this.#requests < requestsPerEvent) return
    this.#requests = 0
    void this.env.BACKLOG.get(this.ctx.id)
      .renew()
      .catch(() => undefined)
  }

  /** The alarm is what outlives a crash; a timer is what is on time. */
  #arm(now: number) {
    clearTimeout(this.#timer)
    if (this.#daemons.isActive) this.#setAlarm(now + heartbeat)
    const next = this.#next(now)
    if (next === Number.POSITIVE_INFINITY) return
    if (next - now <= soon) this.#timer = setTimeout(() => this.#work(), Math.max(0, next - now))
    this.#setAlarm(next - now <= soon ? Math.max(next, now + 1) : next - soon / 2)
  }

  /** When there is something to do next; while no daemon is idle, none of them will have time for a task before one ends. */
  #next(now: number): number {
    if (this.#isPaused || this.#daemons.idle === 0 || this.#daemons.room <= 0) return this.#nextSchedule
    return Math.min(this.#nextSchedule, this.#line.nextDue(now))
  }

  /** Never later than what is set: an alarm for nothing does no harm. */
  #setAlarm(at: number) {
    if (this.#alarmAt <= at && this.#alarmAt > Date.now()) return
    this.#alarmAt = Math.min(at, Date.now() + furthest)
    void this.ctx.storage.setAlarm(this.#alarmAt)
  }
}

/** The worker's name, which an object is not told on every occasion. */
function nameOf({ id, storage }: DurableObjectState): string {
  const kept = storage.kv.get<string>('name')
  if (kept !== undefined) return kept
  if (id.name === undefined) throw new Error('A backlog is known by the name of its worker')
  storage.kv.put('name', id.name)
  return id.name
}
