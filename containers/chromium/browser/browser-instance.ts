// One running Chromium with its tabs. Spare tabs are opened in advance; a browser that does not answer in time is killed or retired.
import type { Launched } from './launch.ts'
import { memoryOf } from './memory.ts'
import { BrowserLost, type Network, openTab, type Tab } from './tab.ts'

/**
 * Time limits to open and to close a tab. A browser that takes longer to open a tab is killed; one that takes longer to
 * close a tab is retired.
 */
const openTimeoutMs = 20_000
const closeTimeoutMs = 3_000

/** One running Chromium. After it is retired, it accepts no more documents, and exits when its last tab is closed. */
export class BrowserInstance {
  readonly version: string
  /** Resolves when the browser has exited. */
  readonly ended: Promise<unknown>
  /** Resolves when the browser accepts no more documents. */
  readonly retired: Promise<void>
  readonly #launched: Launched
  readonly #network: Network
  readonly #spareCount: number
  readonly #spares: Promise<Tab>[] = []
  readonly #onRetired: () => void
  #openTabs = 0
  #documents = 0
  #isRetired = false

  /** `spares` is the number of tabs that are opened in advance. */
  constructor(launched: Launched, network: Network, spares: number) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.retired = promise
    this.#onRetired = resolve
    this.#launched = launched
    this.#network = network
    this.#spareCount = spares
    this.version = launched.version
    this.ended = launched.child.ended
    void this.ended.then(() => this.retire())
    this.#openSpares()
  }

  get pid(): number {
    return this.#launched.child.pid
  }

  /** Number of documents printed, failed ones included. */
  get documents(): number {
    return this.#documents
  }

  get isRetired(): boolean {
    return this.#isRetired
  }

  /** Memory of all processes of this browser, in bytes. */
  get memory(): number {
    return memoryOf(this.pid)
  }

  /** Returns a new tab. Rejects with `BrowserLost` if the browser dies or does not open the tab in time. */
  async acquire(): Promise<Tab> {
    const spare = this.#spares.shift()
    this.#openTabs++
    // Races with the exit of the browser, since a call to a browser that has exited may never settle.
    const exited = this.ended.then(() => undefined)
    const tab = await within(
      openTimeoutMs,
      Promise.race([exited, spare ?? openTab(this.#launched.browser, this.#network)]),
    )
    this.#openSpares()
    if (tab) return tab
    this.kill()
    this.#tabClosed()
    throw new BrowserLost('The browser died')
  }

  /** Closes the tab. If that takes too long, the browser is retired. */
  async release(tab: Tab) {
    const isClosed = await within(
      closeTimeoutMs,
      tab.close().then(() => true),
    )
    this.#documents++
    if (!isClosed) this.retire()
    this.#tabClosed()
  }

  /** Retires the browser: it accepts no more documents, and exits when no tab is open. */
  retire() {
    this.#isRetired = true
    this.#onRetired()
    for (const spare of this.#spares.splice(0)) void spare.then((tab) => tab.close()).catch(() => {})
    if (this.#openTabs === 0) this.#launched.child.kill()
  }

  kill() {
    this.#launched.child.kill()
    this.retire()
  }

  #tabClosed() {
    this.#openTabs--
    if (this.#isRetired) this.retire()
  }

  #openSpares() {
    while (!this.#isRetired && this.#spares.length < this.#spareCount) {
      const tab = openTab(this.#launched.browser, this.#network)
      // Prevents an unhandled rejection while the spare tab waits. `acquire` gets the same promise and handles the
      // error.
      tab.catch(() => {})
      this.#spares.push(tab)
    }
  }
}

/** Resolves with undefined if the work fails or takes longer than the timeout, so that cleanup never blocks. */
async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, timeoutMs, undefined)
  return Promise.race([work.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}
