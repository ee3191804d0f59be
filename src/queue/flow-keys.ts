// The flow keys in memory: their running tasks and their states, which decide whether a task of a key may start.
import { countStart, failuresToOpen, isPaused, type KeyState, KeyStates, recordOutcome } from './key-states.ts'
import type { ShardSettings } from './settings.ts'
import type { RequestOutcome } from './task-request.ts'

/** A flow key in memory. */
export interface FlowKey<Flow> {
  name: string
  /** Tasks of the key that run, or that hold a slot after a crash. */
  running: number
  state: KeyState
  flows: Set<Flow>
}

/** The limits by which tasks are chosen. */
export type FlowLimits = Partial<Pick<ShardSettings, 'keyConcurrency' | 'isOrdered' | 'keyRate' | 'rate'>>

/** Name of the worker's own state among those of the keys, which are not empty. */
const ownState = ''

/** A key is in memory while it has a flow or a running task, or a state that is not stored yet. */
export class FlowKeys<Flow> {
  limits: FlowLimits
  readonly #states: KeyStates
  readonly #keys = new Map<string, FlowKey<Flow>>()
  /** Keys whose states have changed since the last `save`. */
  readonly #changed = new Set<FlowKey<Flow>>()
  /** The state of the worker itself: the period of its rate limit. */
  readonly #own: FlowKey<Flow>

  constructor(sql: SqlStorage, now: number, limits: FlowLimits) {
    this.limits = limits
    this.#states = new KeyStates(sql, now)
    this.#own = { name: ownState, running: 0, state: this.#states.load(ownState), flows: new Set() }
  }

  of(name: string): FlowKey<Flow> {
    const known = this.#keys.get(name)
    if (known) return known
    const key = { name, running: 0, state: this.#states.load(name), flows: new Set<Flow>() }
    this.#keys.set(name, key)
    return key
  }

  /** Time until which the rate limit of the worker lets no task start; 0 if it does not. */
  pausedUntil(now: number): number {
    return isPaused(this.#own.state, now) ? this.#own.state.until! : 0
  }

  /** Whether a task of the key may start. While the circuit of the key is open, one task at a time probes the target. */
  mayRun({ running, state }: FlowKey<Flow>, now: number): boolean {
    const { isOrdered, keyConcurrency = Number.POSITIVE_INFINITY } = this.limits
    const limit = isOrdered || state.failures >= failuresToOpen ? 1 : keyConcurrency
    return running < limit && !isPaused(state, now)
  }

  /** Counts a task as started, against the limits of the worker and of its key. */
  start(name: string | null, now: number): void {
    const { rate, keyRate } = this.limits
    if (rate) this.#change(this.#own, (state) => countStart(state, rate, now))
    if (name === null) return
    const key = this.of(name)
    key.running++
    if (keyRate) this.#change(key, (state) => countStart(state, keyRate, now))
  }

  /** Counts a lost request as running, since its target may still be working on it. */
  hold(name: string): void {
    this.of(name).running++
  }

  /** Counts a task as ended. */
  end(name: string): FlowKey<Flow> {
    const key = this.of(name)
    key.running = Math.max(0, key.running - 1)
    return key
  }

  /** Records what the outcome of a request says about the target of the key. Returns whether more tasks of the key may run. */
  record(name: string, outcome: RequestOutcome, now: number): boolean {
    const key = this.of(name)
    const hasChanged = recordOutcome(key.state, outcome, now)
    if (hasChanged) this.#changed.add(key)
    else this.forgetIfIdle(key)
    return hasChanged && !isPaused(key.state, now)
  }

  /** With `order`: lets no other task of the key start before this task has ended, which waits for a retry. */
  blockFor(name: string | null, task: number): void {
    if (name === null || !this.limits.isOrdered) return
    this.#change(this.of(name), (state) => {
      state.task = task
    })
  }

  /** Ends the effect of `blockFor`. */
  unblock(name: string | null, task: number): void {
    const key = name === null ? undefined : this.#keys.get(name)
    if (key?.state.task !== task) return
    this.#change(key, (state) => {
      state.task = null
    })
  }

  /** The keys whose pause has ended, or whose task to be retried first has ended, since the last call. */
  wake(now: number): { names: string[]; isBehind: boolean } {
    const { ended, freed, isBehind } = this.#states.wake(now)
    for (const name of freed) {
      const key = this.#keys.get(name)
      if (key && !this.#states.isOpen(key.state.task)) key.state.task = null
    }
    return { names: [...ended, ...freed], isBehind }
  }

  /** When the next pause of a key ends, in milliseconds since 1970. */
  nextWake(): number {
    return this.#states.nextWake()
  }

  /** Stores the states that have changed. Must run in the transaction in which leases are stored. */
  save(): void {
    for (const key of this.#changed) this.#states.save(key.name, key.state)
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const key of changed) this.forgetIfIdle(key)
  }

  /** Deletes the stored states of keys that no longer matter. */
  cleanUp(now: number): Promise<void> {
    return this.#states.cleanUp(now, this.limits.keyRate?.periodMs ?? 0)
  }

  /** Removes the flows of all keys. */
  detachFlows(): void {
    for (const key of this.#keys.values()) {
      key.flows.clear()
      this.forgetIfIdle(key)
    }
  }

  forgetIfIdle(key: FlowKey<Flow>): void {
    const isIdle = key.running === 0 && key.flows.size === 0 && !this.#changed.has(key)
    if (isIdle && key !== this.#own) this.#keys.delete(key.name)
  }

  #change(key: FlowKey<Flow>, change: (state: KeyState) => void): void {
    change(key.state)
    this.#changed.add(key)
  }
}
