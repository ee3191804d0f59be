import type { Launched } from './launch.ts'
import { memoryOf } from './memory.ts'
import { Lost, type Network, openTab, type Tab } from './tab.ts'

/** Tabs that are ready before anybody asks. */
const mostSpares = 2

/** Milliseconds for a tab to close; one that takes longer costs the browser. */
const patience = 3_000

/** A browser that is up, until it is retired and has no more to do. */
export class Warm {
  readonly version: string
  /** Resolves when it is gone. */
  readonly ended: Promise<unknown>
  readonly #launched: Launched
  readonly #network: Network
  readonly #spares: Promise<Tab>[] = []
  #taken = 0
  #made = 0
  #isRetired = false

  static async from(launched: Launched, network: Network, spares = mostSpares): Promise<Warm> {
    const warm = new Warm(launched, await launched.browser.version(), network)
    for (let i = 0; i < spares; i++) warm.#prepare()
    return warm
  }

  constructor(launched: Launched, version: string, network: Network) {
    this.#launched = launched
    this.#network = network
    this.version = version
    this.ended = launched.child.ended
  }

  get made(): number {
    return this.#made
  }

  get isRetired(): boolean {
    return this.#isRetired
  }

  /** Bytes. */
  get memory(): number {
    return memoryOf(this.#launched.child.pid)
  }

  /** A fresh tab; rejects with `Lost` when the browser dies over it. */
  async take(): Promise<Tab> {
    const spare = this.#spares.shift()
    this.#taken++
    try {
      return await (spare ?? openTab(this.#launched.browser, this.#network))
    } catch {
      this.#giveBack()
      throw new Lost('The browser died')
    } finally {
      if (spare) this.#prepare()
    }
  }

  /** Closes the tab. */
  async end(tab: Tab) {
    const slow = AbortSignal.timeout(patience)
    const late = new Promise((resolve) => slow.addEventListener('abort', () => resolve('late')))
    const how = await Promise.race([tab.close().catch(() => 'lost'), late])
    this.#made++
    this.#giveBack()
    if (how !== undefined) this.retire()
  }

  /** Takes nothing more, and ends once it has nothing to do. */
  retire() {
    this.#isRetired = true
    if (this.#taken === 0) this.kill()
  }

  kill() {
    this.#isRetired = true
    this.#launched.child.kill()
  }

  #giveBack() {
    this.#taken--
    if (this.#isRetired && this.#taken === 0) this.kill()
  }

  #prepare() {
    if (this.#isRetired) return
    const tab = openTab(this.#launched.browser, this.#network)
    // Whoever takes it learns of it.
    tab.catch(() => {})
    this.#spares.push(tab)
  }
}
