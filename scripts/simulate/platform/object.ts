// A simulated durable object: constructs it for an event, gates its outputs, fires its alarms, and crashes it.
import type { Disk } from './disk.ts'
import { type EventLoop, Process, running, type ScheduledEvent } from './event-loop.ts'
import { Crashed, storageOf } from './storage.ts'

/** The caller of a durable object gets this error if the object crashes before its reply has left. */
export class ConnectionLost extends Error {}

/** The part of a simulation that its objects need. */
export interface Platform {
  loop: EventLoop
  /** Milliseconds of a message between two processes. */
  latency(): number
  /** Milliseconds after an event at which its writes become durable. */
  commitDelay(): number
  /** Called before each storage operation of any object; returns whether the process crashes there. */
  isCrashHere(): boolean
  /** Whether the reply to a call is lost, although the call has succeeded. */
  isReplyLost(): boolean
  /** Whether the alarm of an object that crashes is lost. */
  isAlarmLost(): boolean
  /** Called when an object has crashed. */
  onCrash(object: SimulatedObject): void
  /** The entrypoints of the Worker, which a process may call by `ctx.exports`. */
  exportsFor(process: Process): Record<string, unknown>
  /** Called when an object resets itself by `ctx.abort`, or throws an exception in an event without a caller. */
  onFault(message: string): void
}

/** Creates an instance for a process. The name is missing in an event without one, such as an alarm. */
type Construct = (ctx: DurableObjectState) => object

/** Delay after which the platform repeats an alarm whose handler has not ended. */
const alarmRetryMs = 2_000

/** An instance of a durable object, from its construction until its crash. */
class Instance extends Process {
  readonly object: SimulatedObject

  constructor(object: SimulatedObject) {
    super()
    this.object = object
  }

  override output(send: () => void): void {
    this.object.output(this, send)
  }
}

/** A durable object by name: its disk, and its present instance. */
export class SimulatedObject {
  readonly name: string
  readonly disk: Disk
  readonly #platform: Platform
  readonly #construct: Construct
  #process: Instance | undefined
  #instance: object | undefined
  /** Outputs that wait until the writes before them are durable. */
  #outputs: (() => void)[] = []
  #commit: ScheduledEvent | undefined
  #alarm: ScheduledEvent | undefined
  #alarmAt: number | null = null
  /** Calls whose replies have not left. */
  readonly #calls = new Set<() => void>()

  constructor(name: string, disk: Disk, platform: Platform, construct: Construct) {
    this.name = name
    this.disk = disk
    this.#platform = platform
    this.#construct = construct
  }

  /** Calls the object from outside. Rejects with `ConnectionLost` if the object crashes before its reply has left. */
  call<T extends object, R>(act: (instance: T) => R | Promise<R>): Promise<R> {
    return this.callAfter(this.#platform.latency(), act)
  }

  /** Like `call`, with the time until the call arrives. */
  callAfter<T extends object, R>(delayMs: number, act: (instance: T) => R | Promise<R>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#platform.loop.schedule(delayMs, () => this.#answer(act, resolve, reject))
    })
  }

  #answer<T extends object, R>(
    act: (instance: T) => R | Promise<R>,
    resolve: (result: R) => void,
    reject: (error: unknown) => void,
  ): void {
    const { loop, latency } = this.#platform
    const later = (settle: () => void) => void loop.schedule(latency(), settle)
    const lost = () => later(() => reject(new ConnectionLost()))
    this.#calls.add(lost)
    this.#enter(this.name, async (instance) => {
      const process = running.getStore()
      const reply = (settle: () => void) =>
        process?.output(() => {
          if (this.#calls.delete(lost))
            later(this.#platform.isReplyLost() ? () => reject(new ConnectionLost()) : settle)
        })
      try {
        const result = await act(instance as T)
        reply(() => resolve(result))
      } catch (error) {
        if (!(error instanceof Crashed)) reply(() => reject(error))
      }
    })
  }

  /** Runs an event in the present instance, or in a new one. */
  #enter(name: string | undefined, run: (instance: object) => void | Promise<void>): void {
    this.#process ??= new Instance(this)
    const process = this.#process
    running.run(process, () => {
      try {
        const instance = this.#instance ?? this.#construct(this.#context(process, name))
        // The constructor may have survived its crash, if only a promise was rejected.
        if (process.isDead) return
        this.#instance = instance
        const result = run(instance)
        result?.catch((error: unknown) => this.#onError(error))
      } catch (error) {
        this.#onError(error)
      }
    })
  }

  #onError(error: unknown): void {
    if (error instanceof Crashed) return
    this.#platform.onFault(`${this.name}: ${error instanceof Error ? error.stack : String(error)}`)
  }

  #context(process: Instance, name: string | undefined): DurableObjectState {
    const storage = storageOf(this.disk, {
      onOperation: () => {
        if (process.isDead) throw new Crashed()
        if (this.#platform.isCrashHere()) {
          this.crash()
          throw new Crashed()
        }
      },
      onWrite: () => this.#noteWrite(),
      isDead: () => process.isDead,
      output: (send) => process.output(send),
    })
    const abort = (reason?: string) => {
      if (process.isDead) return
      this.#platform.onFault(`${this.name} has reset itself: ${reason}`)
      this.crash()
    }
    const waitUntil = (promise: Promise<unknown>) => void promise.catch(() => undefined)
    const blockConcurrencyWhile = <R>(act: () => Promise<R>) => act()
    const id = { name, toString: () => this.name }
    const exports = this.#platform.exportsFor(process)
    return { id, storage, abort, waitUntil, blockConcurrencyWhile, exports } as unknown as DurableObjectState
  }

  /** Runs an output of a process after all its earlier writes are durable (output gate). */
  output(process: Process, send: () => void): void {
    if (process.isDead) return
    if (this.disk.isDirty) this.#outputs.push(send)
    else send()
  }

  /** Makes the writes of this event durable after it, at the earliest at its end. */
  #noteWrite(): void {
    this.disk.isDirty = true
    this.#commit ??= this.#platform.loop.schedule(this.#platform.commitDelay(), () => {
      this.#commit = undefined
      this.disk.commit()
      this.#armAlarm()
      for (const send of this.#outputs.splice(0)) send()
    })
  }

  /** Ends the present instance: all that is not durable is lost. */
  crash(): void {
    this.#process?.kill()
    this.#process = undefined
    this.#instance = undefined
    this.#outputs = []
    if (this.#commit) this.#commit.isCanceled = true
    this.#commit = undefined
    this.disk.rollback()
    if (this.#platform.isAlarmLost()) this.disk.loseAlarm()
    this.#alarmAt = null
    this.#armAlarm()
    for (const lost of this.#calls) lost()
    this.#calls.clear()
    this.#platform.onCrash(this)
  }

  /** Schedules the event of the durable alarm. */
  #armAlarm(): void {
    const { alarm } = this.disk
    if (alarm === this.#alarmAt) return
    if (this.#alarm) this.#alarm.isCanceled = true
    this.#alarmAt = alarm
    if (alarm === null) return
    const { loop } = this.#platform
    const delayMs = alarm > loop.now ? alarm - loop.now : this.#process ? 0 : alarmRetryMs
    this.#alarm = loop.schedule(delayMs, () => this.#fireAlarm())
  }

  #fireAlarm(): void {
    this.#alarm = undefined
    this.#alarmAt = null
    this.disk.alarm = null
    this.#noteWrite()
    this.#enter(undefined, (instance) => (instance as { alarm(): Promise<void> }).alarm())
  }

  /** Moves the event of the alarm after a step of the wall clock. */
  noteClockStep(): void {
    this.#alarmAt = null
    if (!this.disk.isDirty) this.#armAlarm()
  }
}
