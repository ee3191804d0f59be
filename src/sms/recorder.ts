import { describe, log } from '#core/http/log'

/** Five times a second: a request has a limited number of statements. */
const gap = 200

const attempts = 3

/**
 * Writes entries down as they come: the first at once, those that come within the next fifth of a second together. What
 * cannot be written is tried again at the end.
 */
export class Recorder<Entry> {
  readonly #write: (entries: Entry[]) => Promise<void>
  #waiting: Entry[] = []
  #turn: Promise<void> | undefined
  #next = 0
  readonly #turns = new Set<Promise<void>>()

  constructor(write: (entries: Entry[]) => Promise<void>) {
    this.#write = write
  }

  /** Resolves when the entry is written. Who does not wait for that need not listen to its failure. */
  add(entry: Entry): Promise<void> {
    this.#waiting.push(entry)
    this.#turn ??= this.#begin()
    return this.#turn
  }

  /** Resolves when all is written that can be. */
  async finish(): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      await Promise.allSettled([this.#flush(), ...this.#turns])
      if (this.#waiting.length === 0) return
    }
  }

  #begin(): Promise<void> {
    const wait = this.#next - Date.now()
    const turn = (wait > 0 ? scheduler.wait(wait) : Promise.resolve()).then(() => this.#flush())
    this.#turns.add(turn)
    turn.catch(() => undefined).finally(() => this.#turns.delete(turn))
    return turn
  }

  async #flush(): Promise<void> {
    const entries = this.#waiting
    this.#waiting = []
    this.#turn = undefined
    this.#next = Date.now() + gap
    if (entries.length === 0) return
    try {
      await this.#write(entries)
    } catch (error) {
      this.#waiting.unshift(...entries)
      log('error', { component: 'sms', route: 'ledger', ...describe(error) })
      throw error
    }
  }
}
