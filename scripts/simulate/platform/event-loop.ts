// The virtual clock of a simulation: runs one event at a time, in the order of their times, each to its last microtask.
import { AsyncLocalStorage } from 'node:async_hooks'

/** What code may crash as a whole: an instance of a durable object, or an invocation of a Worker. */
export class Process {
  isDead = false
  /** Processes that end with this one. */
  readonly children: Process[] = []

  /** Ends the process: its events do not happen any more. */
  kill(): void {
    this.isDead = true
    for (const child of this.children) child.kill()
  }

  /** Runs an output, such as a request: an instance of a durable object delays it until its writes are durable (output gate). */
  output(send: () => void): void {
    if (!this.isDead) send()
  }
}

/** The process that runs, in each asynchronous context. Undefined in the code of the simulation itself. */
export const running = new AsyncLocalStorage<Process | undefined>()

/** A scheduled event. Set `isCanceled` to cancel it. */
export interface ScheduledEvent {
  at: number
  order: number
  owner: Process | undefined
  run: () => void
  isCanceled: boolean
}

/** Start of the virtual time, in milliseconds since 1970. */
const epoch = Date.UTC(2026, 0, 1)

/** Events after which a simulation is stopped, since it does not come to rest. */
const maxEvents = 200_000

const nextMacrotask = globalThis.setImmediate

/** Events of a simulation by time. Time passes only between two events. */
export class EventLoop {
  /** Milliseconds since the start of the simulation. No clock step changes this time. */
  elapsed = 0
  /** Milliseconds by which clock steps have moved the wall clock. */
  clockOffset = 0
  /** Called for an exception that no code has caught. */
  onUncaught: (error: unknown) => void = () => undefined
  readonly #heap: ScheduledEvent[] = []
  #count = 0

  /** The wall clock in milliseconds since 1970, as `Date.now()` shows it. */
  get now(): number {
    return Math.floor(epoch + this.elapsed + this.clockOffset)
  }

  /** Schedules an event for a process, which must then still run. Without a process, the event always happens. */
  schedule(delayMs: number, run: () => void, owner?: Process): ScheduledEvent {
    const event = { at: this.elapsed + Math.max(0, delayMs), order: this.#count++, owner, run, isCanceled: false }
    push(this.#heap, event)
    return event
  }

  /** Waits for virtual time to pass. */
  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.schedule(delayMs, resolve, running.getStore()))
  }

  /** Runs events until a condition holds or no event is left. Returns whether the condition holds. */
  async runUntil(isOver: () => boolean): Promise<boolean> {
    for (let n = 0; n < maxEvents; n++) {
      if (isOver()) return true
      const event = pop(this.#heap)
      if (!event) return false
      if (event.isCanceled || event.owner?.isDead) continue
      this.elapsed = Math.max(this.elapsed, event.at)
      this.#run(event)
      // All microtasks run before the next macrotask.
      await new Promise<void>((resolve) => nextMacrotask(resolve))
    }
    return false
  }

  #run({ run, owner }: ScheduledEvent): void {
    try {
      running.run(owner, run)
    } catch (error) {
      if (!owner?.isDead) this.onUncaught(error)
    }
  }
}

const isBefore = (one: ScheduledEvent, other: ScheduledEvent) =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

function push(heap: ScheduledEvent[], event: ScheduledEvent): void {
  let at = heap.push(event) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isBefore(event, heap[parent]!)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = event
}

function pop(heap: ScheduledEvent[]): ScheduledEvent | undefined {
  const first = heap[0]
  const last = heap.pop()
  if (!first || !last || heap.length === 0) return first
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
    if (!isBefore(heap[child]!, last)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = last
  return first
}
