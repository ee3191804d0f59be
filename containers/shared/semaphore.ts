import { busy } from './http-error.ts'

/**
 * A semaphore that limits concurrent work, with a bounded queue. When the slots and the queue are full, `run` throws
 * 503.
 */
export class Semaphore {
  readonly #slots: number
  readonly #maxWaiting: number
  #used = 0
  #waiting: (() => void)[] = []

  constructor(slots: number, maxWaiting: number) {
    this.#slots = slots
    this.#maxWaiting = maxWaiting
  }

  get busy(): number {
    return this.#used
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Whether `run` would throw 503 now, so that a caller can refuse a request before it reads the body. */
  get isFull(): boolean {
    return this.#used >= this.#slots && this.#waiting.length >= this.#maxWaiting
  }

  /** Waits for a slot, runs `work` and frees the slot. Leaves the queue if the signal aborts. */
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
    if (this.#used < this.#slots) {
      this.#used++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', abort)
        resolve()
      }
      const abort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== start)
        reject(signal.reason)
      }
      this.#waiting.push(start)
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  /** Frees a slot. It is passed to the first waiter directly, so that no later caller can take it. */
  #leave() {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#used--
  }
}
