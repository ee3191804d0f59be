import { busy } from './http-error.ts'

/** A few places to work at, and a few to wait for one; beyond both is refused. */
export class Semaphore {
  readonly #places: number
  readonly #length: number
  #taken = 0
  #waiting: (() => void)[] = []

  constructor(places: number, length: number) {
    this.#places = places
    this.#length = length
  }

  get busy(): number {
    return this.#taken
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Whether whoever comes now is refused. */
  get isFull(): boolean {
    return this.#taken >= this.#places && this.#waiting.length >= this.#length
  }

  /** Waits for a place, works, gives it back; who goes away while waiting never gets one. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(signal: AbortSignal) {
    signal.throwIfAborted()
    if (this.isFull) throw busy()
    if (this.#taken < this.#places) {
      this.#taken++
      return
    }
    await new Promise<void>((enter, refuse) => {
      const turn = () => {
        signal.removeEventListener('abort', give)
        enter()
      }
      const give = () => {
        this.#waiting = this.#waiting.filter((other) => other !== turn)
        refuse(signal.reason)
      }
      this.#waiting.push(turn)
      signal.addEventListener('abort', give, { once: true })
    })
  }

  /** The place goes to the first who waits, and is never free between the two. */
  #leave() {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken--
  }
}
