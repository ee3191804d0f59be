import { EventEmitter, once } from 'node:events'
import { HttpError } from '../../shared/http-error.ts'
import { logError } from '../../shared/reply.ts'
import { unavailable } from '../print/refusals.ts'
import { type Installation, launch } from './launch.ts'
import type { Network, Tab } from './tab.ts'
import { Warm } from './warm.ts'

interface Limits {
  /** Whether the first one is started at once; else when it is asked for. */
  warm: boolean
  /** Documents that a browser makes. */
  recycleAfter: number
  /** Bytes that its processes may hold; at twice as many it is killed. */
  maxMemory: number
}

/** Tabs that are ready before anybody asks. */
const spares = 2

/** Milliseconds before a new start: each time twice as many, until one has come up. */
const pauses = { first: 100, longest: 5_000 }

/** Starts that have to fail in a row before those who wait are told. */
const mostFailures = 3

/** How often its memory is looked at, in milliseconds. */
const interval = 1_000

/** One browser that is warm, and what takes its place when it dies or has done enough. */
export class Browsers {
  readonly #install: () => Promise<Installation>
  readonly #network: Network
  readonly #limits: Limits
  /** Retired ones too, while they finish what they are at. */
  readonly #all = new Set<Warm>()
  readonly #news = new EventEmitter<{ started: [isUp: boolean] }>().setMaxListeners(0)
  #installed: Promise<Installation> | undefined
  #current: Warm | undefined
  #hasBegun = false
  #isStarting = false
  /** Why the last start failed, where that has a remedy. */
  #refusal: HttpError | undefined
  /** Starts that have failed since the last one that did not. */
  #failures = 0
  readonly #over = new AbortController()
  /** Those that are not up yet. */
  readonly #starts = new Set<Promise<unknown>>()

  constructor(install: () => Promise<Installation>, network: Network, limits: Limits) {
    this.#install = install
    this.#network = network
    this.#limits = limits
    if (limits.warm) this.#begin()
    setInterval(() => this.#watch(), interval).unref()
  }

  get current(): Warm | undefined {
    return this.#current?.isRetired ? undefined : this.#current
  }

  /** The one that is warm, as soon as there is one; rejects with the signal's reason, or 503 when none comes up. */
  async warm(signal: AbortSignal): Promise<Warm> {
    this.#begin()
    while (!this.current) {
      signal.throwIfAborted()
      const [isUp] = await once(this.#news, 'started', { signal }).catch(() => [true])
      if (!isUp && this.#refusal) throw this.#refusal
      if (!isUp && this.#failures >= mostFailures) throw unavailable()
    }
    return this.current
  }

  /** One of its own, for what another one died of; whoever has it kills it. */
  alone(): Promise<Warm> {
    return this.#start(0)
  }

  /** Closes the tab, and brings in another browser when this one has done enough; what it is at it finishes. */
  async end(warm: Warm, tab: Tab) {
    await warm.end(tab)
    if (warm === this.current && warm.made >= this.#limits.recycleAfter) void this.#replace()
  }

  /** Ends them all, also those that are about to start; resolves when they are gone. */
  async dispose() {
    this.#over.abort()
    await Promise.allSettled(this.#starts)
    await Promise.all(Array.from(this.#all, ({ ended }) => ended))
  }

  /** From then on there is always one. */
  #begin() {
    if (this.#hasBegun) return
    this.#hasBegun = true
    void this.#replace()
  }

  async #replace() {
    const { signal } = this.#over
    if (this.#isStarting || signal.aborted) return
    this.#isStarting = true
    this.#refusal = undefined
    const started = await this.#start(spares).catch((error: unknown) => {
      if (error instanceof HttpError) this.#refusal = error
      if (!signal.aborted) logError(error)
    })
    this.#isStarting = false
    if (started) this.#welcome(started)
    else this.#retry()
    this.#news.emit('started', started !== undefined)
  }

  #welcome(started: Warm) {
    const old = this.#current
    this.#current = started
    this.#failures = 0
    old?.retire()
    void started.retired.then(() => {
      if (started === this.#current) void this.#replace()
    })
  }

  #retry() {
    const pause = Math.min(pauses.first * 2 ** this.#failures++, pauses.longest)
    setTimeout(() => void this.#replace(), pause).unref()
  }

  #start(spares: number): Promise<Warm> {
    const start = this.#launch(spares).finally(() => this.#starts.delete(start))
    this.#starts.add(start)
    return start
  }

  async #launch(spares: number): Promise<Warm> {
    this.#installed ??= this.#install()
    const installation = await this.#installed.catch((error) => {
      this.#installed = undefined
      throw error
    })
    const launched = await launch(installation, this.#over.signal)
    const warm = new Warm(launched, this.#network, spares)
    this.#all.add(warm)
    void warm.ended.then(() => this.#all.delete(warm))
    return warm
  }

  #watch() {
    for (const warm of this.#all) {
      const { memory } = warm
      if (memory > 2 * this.#limits.maxMemory) warm.kill()
      else if (memory > this.#limits.maxMemory && warm === this.current && warm.made > 0) void this.#replace()
    }
  }
}
