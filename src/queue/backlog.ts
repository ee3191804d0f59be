// The durable object of one worker: stores its tasks in SQLite, leases the due ones, and lets daemons send their requests.
import { describe, log } from '#core/http/log'
import { scheduleFlush } from '#core/metrics/flush'
import { migrate } from '#core/objects/migrate'
import { setPlace } from './callbacks.ts'
import { clean, nextCleanup } from './cleanup.ts'
import type { WorkerSettings } from './contract/settings.ts'
import type { TaskState } from './contract.ts'
import { countOf } from './counts.ts'
import { DaemonPool, type Ended, sizeOf } from './daemon-pool.ts'
import { DepthCounter } from './depth.ts'
import { addOnce } from './idempotency-keys.ts'
import { type PausedKey, pausedKeys } from './key-states.ts'
import type { Lease } from './leases.ts'
import { Membership, type MembershipEnv } from './membership.ts'
import { countEnded, countOutcome } from './metrics.ts'
import { migrations } from './migrations.ts'
import { Rate } from './rate.ts'
import { ReadyQueue } from './ready-queue.ts'
import { hasSchedules, runSchedules } from './schedules.ts'
import type { ShardSettings } from './settings.ts'
import type { TaskRow } from './tables.ts'
import type { TaskRecord } from './task-record.ts'
import { TaskStore } from './task-store.ts'
import { insertTask, type NewTaskRow } from './tasks.ts'

interface BacklogEnv extends MembershipEnv {
  /** Through this binding a backlog calls itself to start a new event, since the platform limits the subrequests of one event. */
  BACKLOG: DurableObjectNamespace<Backlog>
}

/** Interval of alarms while requests are running. An alarm prevents the object's eviction, and is a new event with new limits. */
const heartbeatMs = 5_000

/** Number of requests after which a backlog calls its own `renew` to start a new event: a free plan allows 50 subrequests in one. */
const maxRequestsPerEvent = 40

/** Tasks due within this time wait for a timer in memory, which is more exact than an alarm. */
const timerHorizonMs = 2_000

/** The platform limits how far ahead an alarm may be. If the next task is due later, this alarm only sets the next alarm. */
const maxAlarmDelayMs = 30 * 86_400_000

/** A backlog asks to be woken again no earlier than this, whatever it has to do: its alarm is more exact. */
const minWakeIntervalMs = 60_000

/**
 * One durable object per worker name. A lease is stored before a request is sent, and its outcome after the request has ended.
 * After a crash the constructor settles each lease without an outcome: its task is lost, or to be retried.
 */
export class Backlog extends TaskStore<BacklogEnv> {
  readonly #depth = new DepthCounter(this.sql)
  readonly #rate = new Rate()
  readonly #membership: Membership
  #settings: ShardSettings
  readonly #daemons: DaemonPool
  readonly #queue: ReadyQueue
  #isPaused: boolean
  #cleanup: Promise<void> | undefined
  #alarmAt = Number.POSITIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined
  #requests = 0
  #isDestroyed = false
  /** Time of the next schedule in milliseconds since 1970. With 0, the next step reads it from the schedules. */
  #nextSchedule = 0

  constructor(ctx: DurableObjectState, env: BacklogEnv) {
    super(ctx, env)
    migrate(ctx.storage, migrations)
    this.#membership = new Membership(ctx, env)
    setPlace(this.sql, this.#membership.shard)
    this.#settings = this.#membership.settings
    this.#daemons = new DaemonPool(this.#membership.shard, this.#settings, ctx, env, () => this.work())
    this.#isPaused = ctx.storage.kv.get<boolean>('paused') ?? false
    this.#queue = new ReadyQueue(this.sql, Date.now(), this.#settings)
    for (const until of this.#queue.daemonHolds) this.#daemons.sleepUntil(until)
    this.#countEnded(this.#queue.recovered)
    this.continueOperations()
  }

  /** Adds a task, once per idempotency key. `shards`: the number of shards by which this backlog was chosen. Returns its number. */
  addTask(record: TaskRecord, shards: number, idempotencyKey?: string): number {
    return this.#add({ ...record, kind: 'task' }, shards, idempotencyKey)
  }

  /** Adds a fraction, once per idempotency key. It is one row, whatever the size of its range. Returns its number. */
  addFraction(
    record: TaskRecord,
    range: { min: number; max: number; gap: number },
    shards: number,
    idempotencyKey?: string,
  ): number {
    return this.#add({ ...record, ...range, next: range.min, kind: 'fraction' }, shards, idempotencyKey)
  }

  /** Stops or resumes starting tasks. Running requests end by themselves. */
  setPaused(isPaused: boolean) {
    this.ctx.storage.kv.put('paused', isPaused)
    this.#isPaused = isPaused
    this.work()
  }

  /** Applies the settings of the worker, `null` for its preset. Running requests are not interrupted. */
  configure(settings: WorkerSettings | null) {
    this.#membership.configure(settings)
    this.#settings = this.#membership.settings
    this.flush()
    this.#daemons.configure(this.#settings)
    this.#queue.configure(this.#settings, Date.now())
    this.work()
  }

  /** Accepts no tasks any more if this backlog is empty, or if `isForced`. Returns whether it is closed. */
  close(isForced: boolean): boolean {
    this.flush()
    const open = countOf(this.sql, { kinds: ['task', 'fraction', 'piece'], states: ['waiting', 'running'] })
    if (!isForced && (open > 0 || this.#daemons.busy > 0 || hasSchedules(this.sql))) return false
    this.#membership.close()
    return true
  }

  /** Deletes all tasks. The object must then be reset with `reset`, which interrupts the running requests. */
  async destroy() {
    this.#isDestroyed = true
    clearTimeout(this.#timer)
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** Ends this process of the object. The call fails. */
  reset() {
    this.ctx.abort('The worker was deleted')
  }

  /** The flow keys that are paused, at most `limit`. */
  pausedKeys(limit: number): PausedKey[] {
    return pausedKeys(this.sql, Date.now(), limit)
  }

  /** Measures the worker for `GET /workers` and for the gauges of `/_metrics`. */
  async measure() {
    this.flush()
    const now = Date.now()
    const { depth, due, oldest_due_at } = await this.#depth.at(now)
    const running = this.#daemons.busy
    return { depth, due, oldest_due_at, running, rate: this.#rate.perSecond(now), is_paused: this.#isPaused }
  }

  /**
   * Starts due tasks, sets the alarm, deletes old tasks and keys, and reports to the registry. The sweep calls it for objects that
   * are overdue, in case an alarm was lost.
   */
  async wake() {
    this.work()
    this.flush()
    this.#cleanup ??= clean(this.env, this.sql, this.#settings, Date.now()).finally(() => {
      this.#cleanup = undefined
    })
    await this.#cleanup
    await this.#queue.cleanUp(Date.now())
    const now = Date.now()
    const depth = countOf(this.sql, { kinds: ['task', 'fraction', 'piece'], states: ['waiting'] })
    const next = this.#daemons.isActive
      ? now
      : Math.min(this.#next(now), nextCleanup(this.env, this.sql, this.#settings))
    const wakeAt = Math.min(Math.max(next, now + minWakeIntervalMs), Number.MAX_SAFE_INTEGER)
    await this.#membership.report({ wakeAt, depth, running: this.#daemons.busy })
  }

  /** Does nothing. The call itself starts a new event, with new limits. The health probe calls it to see that a backlog responds. */
  renew() {}

  override alarm() {
    this.#alarmAt = Number.POSITIVE_INFINITY
    this.continueOperations()
    this.work()
  }

  #add(row: NewTaskRow, shards: number, idempotencyKey: string | undefined): number {
    this.assertOpen(shards)
    const number = addOnce(this.sql, idempotencyKey, Date.now(), () => {
      this.assertRoom()
      const added = insertTask(this.sql, row, Date.now())
      this.#queue.noteWaiting(added)
      return added.id
    })
    this.work()
    return number
  }

  protected assertOpen(shards: number) {
    this.#membership.assertOpen(shards)
  }

  protected noteWaiting(row: TaskRow) {
    this.#queue.noteWaiting(row)
  }

  protected keepAwake() {
    const at = Date.now() + heartbeatMs
    this.#membership.noteWake(at)
    this.#setAlarm(at)
  }

  protected noteSchedules() {
    this.#nextSchedule = 0
  }

  /** One step: in one transaction records ended requests and leases due tasks, then sends their requests and sets the next timer. */
  protected work() {
    if (this.#isDestroyed) return
    const now = Date.now()
    const ended = this.#daemons.takeEnded()
    const states: (TaskState | undefined)[] = []
    this.#daemons.send(this.store(() => this.#record(ended, now, states)))
    for (const { outcome } of ended) countOutcome(this.#membership.label, outcome)
    this.#countEnded(states)
    if (ended.length > 0) scheduleFlush(this.env)
    this.#rate.count(ended.length, now)
    this.#spend(ended.length)
    this.#arm(now)
  }

  /** Writes the journal to the table. Call it before the table is read or changed: its rows of running tasks still say `waiting`. */
  protected flush() {
    this.store(() => this.#queue.flush())
  }

  /** Runs a step in a transaction. If it fails, memory and storage differ, so the object is reset and starts from storage. */
  protected store<T>(step: () => T): T {
    try {
      return this.ctx.storage.transactionSync(step)
    } catch (error) {
      log('error', { component: 'queue', route: 'work', ...this.#membership.shard, ...describe(error) })
      this.ctx.abort('The queue could not store a step')
      throw error
    }
  }

  #record(ended: Ended[], now: number, states: (TaskState | undefined)[]): Lease[] {
    for (const { lease, outcome } of ended) states.push(this.#queue.settle(lease, outcome, now))
    if (now >= this.#nextSchedule) {
      this.#queue.flush()
      this.#nextSchedule = runSchedules(this.sql, now, (row) => this.#queue.noteWaiting(row))
    }
    this.#queue.advance(now)
    const leases: Lease[] = []
    let freeBytes = this.#daemons.freeBytes
    while (!this.#isPaused && leases.length < this.#daemons.idle && freeBytes > 0) {
      const lease = this.#queue.leaseNext(now)
      if (!lease) break
      leases.push(lease)
      freeBytes -= sizeOf(lease)
    }
    this.#queue.commit(now)
    return leases
  }

  #countEnded(states: (TaskState | undefined)[]) {
    for (const state of states) if (state && state !== 'waiting') countEnded(this.#membership.label, state)
  }

  #spend(requests: number) {
    this.#requests += requests
    if (this.#requests < maxRequestsPerEvent) return
    this.#requests = 0
    void this.env.BACKLOG.get(this.ctx.id)
      .renew()
      .catch(() => undefined)
  }

  /** Schedules the next step with a timer, which is exact, and with an alarm, which also wakes the object after a crash. */
  #arm(now: number) {
    clearTimeout(this.#timer)
    // The registry must know each object that has had a task: the sweep deletes its ended tasks.
    if (this.#daemons.isActive) this.keepAwake()
    const next = this.#next(now)
    if (next === Number.POSITIVE_INFINITY) return
    this.#membership.noteWake(next)
    if (next - now <= timerHorizonMs) this.#timer = setTimeout(() => this.work(), Math.max(0, next - now))
    this.#setAlarm(next - now <= timerHorizonMs ? Math.max(next, now + 1) : next - timerHorizonMs / 2)
  }

  /**
   * Time of the next step in milliseconds since 1970. If no daemon can send, due tasks do not count: the end of a request, or
   * `setPaused`, starts a step by itself.
   */
  #next(now: number): number {
    if (this.#isPaused || this.#daemons.idle === 0 || this.#daemons.freeBytes <= 0) return this.#nextSchedule
    return Math.min(this.#nextSchedule, this.#queue.nextDue(now))
  }

  /** Sets the alarm unless an earlier one is set. An alarm that comes too early is harmless: its step finds nothing due. */
  #setAlarm(at: number) {
    if (this.#alarmAt <= at && this.#alarmAt > Date.now()) return
    this.#alarmAt = Math.min(at, Date.now() + maxAlarmDelayMs)
    void this.ctx.storage.setAlarm(this.#alarmAt)
  }
}
