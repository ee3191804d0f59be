// Keeps one browser ready, and replaces it when it crashes, grows too large or has printed enough documents.
import { EventEmitter, once } from 'node:events'
import { HttpError } from '../../shared/http-error.ts'
import { logError } from '../../shared/reply.ts'
import { unavailableError } from '../print/errors.ts'
import { BrowserInstance } from './browser-instance.ts'
import { type Installation, launch } from './launch.ts'
import type { Network, Tab } from './tab.ts'

interface Limits {
  /** Whether the first browser starts at once, instead of with the first document. */
  warm: boolean
  /** Number of documents after which a browser is replaced. */
  recycleAfter: number
  /** Memory of a browser's processes in bytes from which the browser is replaced. At twice this size it is killed. */
  maxMemory: number
}

/** Number of tabs that a browser opens in advance, so that a document need not wait for one. */
const spareTabs = 2

/** Delays between failed starts of a browser, in milliseconds: exponential backoff from `initial` to `max`. */
const backoffMs = { initial: 100, max: 5_000 }

/** Number of failed starts in a row after which waiting documents get an error instead of waiting longer. */
const maxFailedStarts = 3

/** Interval of the memory check. */
const memoryCheckMs = 1_000

export class BrowserPool {
  readonly #install: () => Promise<Installation>
  readonly #network: Network
  readonly #limits: Limits
  /** All running browsers, including retired ones that still print. */
  readonly #all = new Set<BrowserInstance>()
  readonly #events = new EventEmitter<{ started: [isUp: boolean] }>().setMaxListeners(0)
  #installed: Promise<Installation> | undefined
  #current: BrowserInstance | undefined
  #hasBegun = false
  #isStarting = false
  /**
   * The error of the last start, if the caller of the API can do something about it; such documents get this error
   * instead of a 503.
   */
  #startError: HttpError | undefined
  /** Failed starts since the last successful one. */
  #failedStarts = 0
  readonly #disposed = new AbortController()
  /** Starts in progress, which `dispose` waits for. */
  readonly #starts = new Set<Promise<unknown>>()

  constructor(install: () => Promise<Installation>, network: Network, limits: Limits) {
    this.#install = install
    this.#network = network
    this.#limits = limits
    if (limits.warm) this.#begin()
    setInterval(() => this.#checkMemory(), memoryCheckMs).unref()
  }

  get current(): BrowserInstance | undefined {
    return this.#current?.isRetired ? undefined : this.#current
  }

  /** Waits for a running browser. Rejects with the signal's reason, or with 503 if no browser starts. */
  async ready(signal: AbortSignal): Promise<BrowserInstance> {
    this.#begin()
    while (!this.current) {
      signal.throwIfAborted()
      const [isUp] = await once(this.#events, 'started', { signal }).catch(() => [true])
      if (!isUp && this.#startError) throw this.#startError
      if (!isUp && this.#failedStarts >= maxFailedStarts) throw unavailableError()
    }
    return this.current
  }

  /** Starts a separate browser for a document that crashed another one. The caller kills it. */
  startSeparate(): Promise<BrowserInstance> {
    return this.#start(0)
  }

  /**
   * Closes the tab of a printed document. Replaces the browser if it has printed enough documents; the old browser
   * finishes those in progress.
   */
  async release(instance: BrowserInstance, tab: Tab) {
    await instance.release(tab)
    if (instance === this.current && instance.documents >= this.#limits.recycleAfter) void this.#replace()
  }

  /** Stops all browsers, including starting ones. Resolves when they have exited. */
  async dispose() {
    this.#disposed.abort()
    await Promise.allSettled(this.#starts)
    await Promise.all(Array.from(this.#all, ({ ended }) => ended))
  }

  /** Starts the first browser, unless that has happened. From then on, one browser is always running or starting. */
  #begin() {
    if (this.#hasBegun) return
    this.#hasBegun = true
    void this.#replace()
  }

  async #replace() {
    const { signal } = this.#disposed
    if (this.#isStarting || signal.aborted) return
    this.#isStarting = true
    this.#startError = undefined
    const started = await this.#start(spareTabs).catch((error: unknown) => {
      if (error instanceof HttpError) this.#startError = error
      if (!signal.aborted) logError(error)
    })
    this.#isStarting = false
    if (started) this.#use(started)
    else this.#retryStart()
    this.#events.emit('started', started !== undefined)
  }

  #use(started: BrowserInstance) {
    const old = this.#current
    this.#current = started
    this.#failedStarts = 0
    old?.retire()
    void started.retired.then(() => {
      if (started === this.#current) void this.#replace()
    })
  }

  #retryStart() {
    const delayMs = Math.min(backoffMs.initial * 2 ** this.#failedStarts++, backoffMs.max)
    setTimeout(() => void this.#replace(), delayMs).unref()
  }

  #start(spares: number): Promise<BrowserInstance> {
    const start = this.#launch(spares).finally(() => this.#starts.delete(start))
    this.#starts.add(start)
    return start
  }

  async #launch(spares: number): Promise<BrowserInstance> {
    this.#installed ??= this.#install()
    const installation = await this.#installed.catch((error) => {
      this.#installed = undefined
      throw error
    })
    const launched = await launch(installation, this.#disposed.signal)
    const instance = new BrowserInstance(launched, this.#network, spares)
    this.#all.add(instance)
    void instance.ended.then(() => this.#all.delete(instance))
    return instance
  }

  #checkMemory() {
    for (const instance of this.#all) {
      const { memory } = instance
      if (memory > 2 * this.#limits.maxMemory) instance.kill()
      else if (memory > this.#limits.maxMemory && instance === this.current && instance.documents > 0)
        void this.#replace()
    }
  }
}
