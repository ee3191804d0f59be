// Chooses the next due task of a worker: by priority, then the flow keys take turns, each within its limits.
import {
  type DuePosition,
  dueFlows,
  dueRows,
  firstPosition,
  isAfter,
  keyAfter,
  nextFlowDue,
  nextPlainDue,
  openRow,
  usedPriorities,
} from './due-rows.ts'
import { type FlowKey, FlowKeys, type FlowLimits } from './flow-keys.ts'
import { defaultPriority, ReadyRings } from './ready-rings.ts'
import type { TaskRow } from './tables.ts'
import type { RequestOutcome } from './task-request.ts'

/** Number of due rows that one query reads ahead into memory: of the tasks without a key, and of the tasks of one key. */
const readAheadRows = 64
const keyReadAheadRows = 8

/** Maximum number of flows in memory. Further ones are found when flows in memory have no due task left. */
const maxActiveFlows = 20_000

/** Limits of the search for flows with due tasks: index entries that one step reads, and keys that are looked up at startup. */
const discoveryRows = 2_000
const startupKeys = 1_000

/**
 * Due tasks that run in the order of their due times: those of one key and one priority, or of one key with any priority if the
 * worker has `order`. Tasks without a key are one flow per priority.
 */
interface Flow {
  id: string
  key: FlowKey<Flow> | null
  priority: number | null | 'any'
  /** Priority of the ring in which the flow waits for its turn. */
  ring: number
  isReady: boolean
  /** Whether all due rows of the flow were read. `noteWaiting` and `advance` reset it when a further row is due. */
  isDrained: boolean
  rows: TaskRow[]
  lastRead: DuePosition
}

interface FlowSettings {
  now: number
  limits: FlowLimits
  /** Whether a row that still says `waiting` is already leased or done, according to the journal. */
  isPending: (task: number) => boolean
}

/**
 * Fair scheduler: flows of the highest priority go first, and take turns. A key that is paused or at its concurrency limit is skipped
 * without reading its tasks. Every operation costs O(log n) index reads.
 */
export class FlowScheduler {
  readonly #sql: SqlStorage
  readonly #isPending: (task: number) => boolean
  /** The keys of the flows, with their running tasks and states. */
  readonly keys: FlowKeys<Flow>
  readonly #flows = new Map<string, Flow>()
  #rings = new ReadyRings<Flow>()
  /** Position up to which the search has come: each flow with a due task before it is in memory, or waits for its key to wake. */
  #discovered = firstPosition
  /** Whether the last `advance` stopped at its limit, so that more due tasks may follow. */
  #isBehind = false

  constructor(sql: SqlStorage, { now, limits, isPending }: FlowSettings) {
    this.#sql = sql
    this.#isPending = isPending
    this.keys = new FlowKeys(sql, now, limits)
    this.#findFlows(now)
  }

  /** Applies other limits. */
  configure(limits: FlowLimits, now: number): void {
    this.keys.limits = limits
    this.#flows.clear()
    this.#rings = new ReadyRings()
    this.keys.detachFlows()
    this.#discovered = firstPosition
    this.#findFlows(now)
  }

  /** Finds the flows that have become due by `now`. Call it once per step, before `next`. */
  advance(now: number): void {
    this.#activate(null, null)
    const { names, isBehind } = this.keys.wake(now)
    for (const name of names) this.#wakeKey(name)
    // After the clock was set back, new tasks may be due before the position of the search: continue from `now`.
    if (now < this.#discovered.due_at) this.#discovered = { due_at: now, id: 0 }
    const rows = dueFlows(this.#sql, this.#discovered, now, discoveryRows)
    let read = 0
    for (const { due_at, id, key, priority } of rows) {
      if (!this.#activate(key, priority)) break
      this.#discovered = { due_at, id }
      read++
    }
    this.#isBehind = isBehind || read === discoveryRows
  }

  /** The next due row; undefined if no flow has one that may run. */
  next(now: number): TaskRow | undefined {
    if (this.keys.pausedUntil(now) > 0) return undefined
    for (let turn = this.#rings.shift(); turn; turn = this.#rings.shift()) {
      const { item: flow, priority } = turn
      flow.isReady = false
      if (flow.key && !this.keys.mayRun(flow.key, now)) {
        this.#dropIfIdle(flow)
        continue
      }
      const row = this.#take(flow, now)
      if (!row) {
        this.#dropIfIdle(flow)
        continue
      }
      const itsPriority = row.priority ?? defaultPriority
      if (itsPriority < priority) {
        // An ordered flow, whose first task has a lower priority than the task that made the flow ready.
        if (flow.key?.state.task !== row.id) flow.rows.unshift(row)
        this.#push(flow, itsPriority)
        continue
      }
      this.#rings.countStart(priority)
      this.#push(flow, itsPriority)
      return row
    }
    return undefined
  }

  /** Counts a task of the key as ended, so that the next task of the key may run. */
  end(name: string | null): void {
    if (name === null) return
    const key = this.keys.end(name)
    for (const flow of key.flows) {
      if (flow.isDrained && flow.rows.length === 0) this.#dropIfIdle(flow)
      else this.#push(flow)
    }
    this.keys.forgetIfIdle(key)
  }

  /** Records what the outcome of a request says about the target of its key. */
  record(key: string | null, outcome: RequestOutcome, now: number): void {
    if (key !== null && this.keys.record(key, outcome, now)) this.#wakeKey(key)
  }

  /** Call it for each row that was inserted, waits again or has a new due time: the scheduler may have read past its position. */
  noteWaiting(row: Pick<TaskRow, 'key' | 'due_at' | 'id' | 'priority'>): void {
    const { key, due_at, priority } = row
    const flow = this.#flows.get(this.#idOf(key, priority))
    if (flow) {
      if (!isAfter(row, flow.lastRead)) rewind(flow)
      flow.isDrained = false
      this.#push(flow, priority ?? defaultPriority)
    }
    const isPlain = key === null && priority === null
    if (isPlain || isAfter(row, this.#discovered) || this.#activate(key, priority)) return
    this.#discovered = { due_at, id: 0 }
  }

  /** Drops the rows that were read ahead. Call it when other code may change the table, such as by canceling a task. */
  invalidate(): void {
    for (const flow of this.#flows.values()) rewind(flow)
  }

  /** When `next` may return a row again after it returned none: now if discovery is not finished, else the first due time. */
  nextDue(now: number): number {
    const pausedUntil = this.keys.pausedUntil(now)
    if (pausedUntil > 0) return pausedUntil
    if (this.#isBehind || !this.#rings.isEmpty) return now
    const flowDue =
      this.#flows.size >= maxActiveFlows ? Number.POSITIVE_INFINITY : nextFlowDue(this.#sql, this.#discovered)
    return Math.min(nextPlainDue(this.#sql), flowDue, this.keys.nextWake())
  }

  /** Finds the first flows at startup by jumping from key to key, which does not read all tasks of a key. */
  #findFlows(now: number): void {
    let found = 0
    for (const priority of [null, ...usedPriorities(this.#sql)]) {
      if (priority !== null) this.#activate(null, priority)
      for (let key = keyAfter(this.#sql, priority, ''); key !== undefined; key = keyAfter(this.#sql, priority, key)) {
        if (found++ >= startupKeys) return
        this.#activate(key, priority)
      }
    }
    this.#discovered = { due_at: now, id: Number.MAX_SAFE_INTEGER }
  }

  /** Takes the first due row of a flow. With `order`, a task that waits for its retry is the first one, also before it is due. */
  #take(flow: Flow, now: number): TaskRow | undefined {
    const { key } = flow
    if (flow.priority === 'any' && key && key.state.task !== null) {
      const first = openRow(this.#sql, key.state.task)
      if (first) {
        const mayStart = first.state === 'waiting' && first.due_at <= now && !this.#isPending(first.id)
        return mayStart ? first : undefined
      }
      this.keys.unblock(key.name, key.state.task)
    }
    return flow.rows.shift() ?? this.#read(flow, now)
  }

  /** Reads the next due rows of a flow that are not leased yet, and returns the first. */
  #read(flow: Flow, now: number): TaskRow | undefined {
    const limit = flow.key === null ? readAheadRows : keyReadAheadRows
    while (!flow.isDrained) {
      const rows = this.#readRows(flow, limit, now)
      flow.isDrained = rows.length < limit
      if (rows.length > 0) flow.lastRead = rows.at(-1)!
      flow.rows = rows.filter(({ id }) => !this.#isPending(id))
      if (flow.rows.length > 0) return flow.rows.shift()
    }
    return undefined
  }

  #readRows({ key, priority, lastRead }: Flow, limit: number, now: number): TaskRow[] {
    const request = { key: key?.name ?? null, after: lastRead, limit }
    if (priority !== 'any') return dueRows(this.#sql, { ...request, priority }, now)
    const rows = [null, ...usedPriorities(this.#sql)].flatMap((priority) =>
      dueRows(this.#sql, { ...request, priority }, now),
    )
    return rows.sort((one, other) => (isAfter(one, other) ? 1 : -1)).slice(0, limit)
  }

  /** Adds the flows of a key to the round robin, after it was paused or its limit was lower. */
  #wakeKey(key: string): void {
    const used = [null, ...usedPriorities(this.#sql)]
    const priorities = this.keys.limits.isOrdered ? [null] : used
    if (priorities.every((priority) => this.#activate(key, priority))) return
    // Too many flows are in memory: the search continues before the first task of the key, to find it again.
    for (const priority of used) {
      const [first] = dueRows(this.#sql, { key, priority, after: firstPosition, limit: 1 }, this.#discovered.due_at)
      if (first) this.#discovered = { due_at: first.due_at, id: 0 }
    }
  }

  /** Adds the flow to the round robin; false if too many flows are in memory. */
  #activate(key: string | null, priority: number | null): boolean {
    const id = this.#idOf(key, priority)
    let flow = this.#flows.get(id)
    if (!flow) {
      if (this.#flows.size >= maxActiveFlows) return false
      const known = key === null ? null : this.keys.of(key)
      const its = this.keys.limits.isOrdered && known ? 'any' : priority
      const ring = priority ?? defaultPriority
      flow = { id, key: known, priority: its, ring, isReady: false, isDrained: true, rows: [], lastRead: firstPosition }
      this.#flows.set(id, flow)
      known?.flows.add(flow)
    }
    flow.isDrained = false
    this.#push(flow, priority ?? defaultPriority)
    return true
  }

  #idOf(key: string | null, priority: number | null): string {
    if (key === null) return String(priority)
    return this.keys.limits.isOrdered ? `:${key}` : `${priority}:${key}`
  }

  #dropIfIdle(flow: Flow): void {
    const { id, key, priority, isReady } = flow
    const isPlain = key === null && priority === null
    if (isPlain || isReady || (key && key.running > 0)) return
    this.#flows.delete(id)
    key?.flows.delete(flow)
    if (key) this.keys.forgetIfIdle(key)
  }

  #push(flow: Flow, priority = flow.ring): void {
    if (flow.isReady) return
    flow.isReady = true
    flow.ring = priority
    this.#rings.push(flow, priority)
  }
}

function rewind(flow: Flow): void {
  flow.rows = []
  flow.lastRead = firstPosition
  flow.isDrained = false
}
