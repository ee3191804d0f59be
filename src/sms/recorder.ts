import { describe, log } from '#core/http/log'

/** Milliseconds: a request on D1 has a thousand statements, and 85 seconds to begin its messages in. */
const gap = 100

const attempts = 3

/**
 * Writes entries down as they come: the first at once, those that come within the next tenth of a second together. What
 * cannot be written is tried again at the end, where it is still true then.
 */
export class Recorder<Entry> {
  readonly #write: (entries: Entry[]) => Promise<void>
  readonly #isLasting: (entry: Entry) => boolean
  readonly #writing = new Set<Promise<void>>()
  #waiting: Entry[] = []
  #turn: Promise<void> | undefined
  #next = 0

  constructor(write: (entries: Entry[]) => Promise<void>, isLasting: (entry: Entry) => boolean = () => true) {
    this.#write = write
    this.#isLasting = isLasting
  }

  /** Resolves when the entry is written. */
  add(entry: Entry): Promise<void> {
    this.#waiting.push(entry)
    this.#turn ??= pause(this.#next - Date.now()).then(() => this.#flush())
    return this.#turn
  }

  /** Resolves when all is written that can be. */
  async finish(): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0) await pause(gap)
      await Promise.allSettled([this.#flush(), ...this.#writing])
      if (this.#waiting.length === 0) return
    }
  }

  #flush(): Promise<void> {
    const entries = this.#waiting
    this.#waiting = []
    this.#turn = undefined
    this.#next = Date.now() + gap
    const writing = entries.length > 0 ? this.#store(entries) : Promise.resolve()
    this.#writing.add(writing)
    return writing.finally(() => this.#writing.delete(writing))
  }

  async #store(entries: Entry[]): Promise<void> {
    try {
      await this.#write(entries)
    } catch (error) {
      this.#waiting.unshift(...entries.filter(this.#isLasting))
      log('error', { component: 'sms', route: 'ledger', ...describe(error) })
      throw error
    }
  }
}

const pause = async (ms: number) => {
  if (ms > 0) await scheduler.wait(ms)
}
