import type { Launched } from './launch.ts'
import { memoryOf } from './memory.ts'
import { Lost, type Network, openTab, type Tab } from './tab.ts'

/** Milliseconds for a tab to open and to close; one that takes longer costs the browser. */
const patience = { open: 20_000, close: 3_000 }

/** A browser that is up, until it is retired and has no more to do. */
export class Warm {
  readonly version: string
  /** Resolves when it is gone. */
  readonly ended: Promise<unknown>
  /** Resolves when it takes nothing more. */
  readonly retired: Promise<void>
  readonly #launched: Launched
  readonly #network: Network
  readonly #mostSpares: number
  readonly #spares: Promise<Tab>[] = []
  readonly #onRetired: () => void
  #taken = 0
  #made = 0
  #isRetired = false

  /** With so many tabs ready before anybody asks. */
  constructor(launched: Launched, network: Network, spares: number) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.retired = promise
    this.#onRetired = resolve
    this.#launched = launched
    this.#network = network
    this.#mostSpares = spares
    this.version = launched.version
    this.ended = launched.child.ended
    void this.ended.then(() => this.retire())
    this.#prepare()
  }

  get pid(): number {
    return this.#launched.child.pid
  }

  /** Documents that it has made, or failed at. */
  get made(): number {
    return this.#made
  }

  get isRetired(): boolean {
    return this.#isRetired
  }

  /** Bytes that its processes hold. */
  get memory(): number {
    return memoryOf(this.pid)
  }

  /** A fresh tab; rejects with `Lost` when the browser dies over it. */
  async take(): Promise<Tab> {
    const spare = this.#spares.shift()
    this.#taken++
    // What waits for a browser that is gone may wait for good.
    const gone = this.ended.then(() => undefined)
    const tab = await within(
      patience.open,
      Promise.race([gone, spare ?? openTab(this.#launched.browser, this.#network)]),
    )
    this.#prepare()
    if (tab) return tab
    this.kill()
    this.#giveBack()
    throw new Lost('The browser died')
  }

  /** Closes the tab. */
  async end(tab: Tab) {
    const isClosed = await within(
      patience.close,
      tab.close().then(() => true),
    )
    this.#made++
    if (!isClosed) this.retire()
    this.#giveBack()
  }

  /** Takes nothing more, and ends once it has nothing to do. */
  retire() {
    this.#isRetired = true
    this.#onRetired()
    for (const spare of this.#spares.splice(0)) void spare.then((tab) => tab.close()).catch(() => {})
    if (this.#taken === 0) this.#launched.child.kill()
  }

  kill() {
    this.#launched.child.kill()
    this.retire()
  }

  #giveBack() {
    this.#taken--
    if (this.#isRetired) this.retire()
  }

  #prepare() {
    while (!this.#isRetired && this.#spares.length < this.#mostSpares) {
      const tab = openTab(this.#launched.browser, this.#network)
      // Whoever takes it learns of it.
      tab.catch(() => {})
      this.#spares.push(tab)
    }
  }
}

/** Undefined where it fails, or takes longer than so many milliseconds. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, milliseconds, undefined)
  return Promise.race([work.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}
