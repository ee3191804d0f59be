import { EventEmitter, once } from 'node:events'
import { logError } from '../../media/reply.ts'
import { unavailable } from '../print/refusals.ts'
import { type Installation, launch } from './launch.ts'
import type { Network } from './tab.ts'
import { Warm } from './warm.ts'

export interface Limits {
  /** Documents that a browser makes. */
  recycleAfter: number
  /** Bytes that its processes may hold; at twice as many it is killed. */
  maxMemory: number
}

/** Milliseconds before a new start: each time twice as many, until one has come up. */
const pauses = { first: 100, longest: 5_000 }

/** How often its memory is looked at, in milliseconds. */
const interval = 1_000

/** One browser that is warm, and what takes its place when it dies or has done enough. */
export class Browsers {
  readonly #installation: Promise<Installation>
  readonly #network: Network
  readonly #limits: Limits
  readonly #all = new Set<Warm>()
  readonly #news = new EventEmitter<{ started: [failed: boolean] }>().setMaxListeners(0)
  #current: Warm | undefined
  #isStarting = false
  #isOver = false
  #pause = pauses.first

  constructor(installation: Promise<Installation>, network: Network, limits: Limits) {
    this.#installation = installation
    this.#network = network
    this.#limits = limits
    void this.#replace()
    setInterval(() => this.#watch(), interval).unref()
  }

  get current(): Warm | undefined {
    return this.#current?.isRetired ? undefined : this.#current
  }

  /** The one that is warm, as soon as there is one; rejects with the signal's reason, or 503 when it does not start. */
  async warm(signal: AbortSignal): Promise<Warm> {
    for (;;) {
      signal.throwIfAborted()
      if (this.current) return this.current
      const [failed] = await once(this.#news, 'started', { signal }).catch(() => [])
      if (failed) throw unavailable()
    }
  }

  /** One of its own, for what another one died of; whoever has it kills it. */
  async alone(): Promise<Warm> {
    const warm = await Warm.from(await launch(await this.#installation), this.#network, 0)
    this.#keep(warm)
    return warm
  }

  /** Brings in another one when this one has done enough; what it is at it finishes. */
  review(warm: Warm) {
    if (warm === this.#current && (warm.made >= this.#limits.recycleAfter || warm.isRetired)) void this.#replace()
  }

  dispose() {
    this.#isOver = true
    for (const warm of this.#all) warm.kill()
  }

  async #replace() {
    if (this.#isStarting || this.#isOver) return
    this.#isStarting = true
    try {
      const old = this.#current
      this.#current = await this.#start()
      old?.retire()
      this.#pause = pauses.first
      this.#news.emit('started', false)
    } catch (error) {
      logError(error)
      this.#news.emit('started', true)
      setTimeout(() => void this.#replace(), this.#pause).unref()
      this.#pause = Math.min(2 * this.#pause, pauses.longest)
    } finally {
      this.#isStarting = false
    }
  }

  async #start(): Promise<Warm> {
    const warm = await Warm.from(await launch(await this.#installation), this.#network)
    this.#keep(warm)
    void warm.ended.then(() => {
      if (this.#current === warm) void this.#replace()
    })
    return warm
  }

  #keep(warm: Warm) {
    this.#all.add(warm)
    void warm.ended.then(() => this.#all.delete(warm))
    void warm.ended.then(() => warm.retire())
    if (this.#isOver) warm.kill()
  }

  #watch() {
    for (const warm of this.#all) {
      const { memory } = warm
      if (memory > 2 * this.#limits.maxMemory) warm.kill()
      else if (memory > this.#limits.maxMemory && warm === this.#current && warm.made > 0) void this.#replace()
    }
  }
}
