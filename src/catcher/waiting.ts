import { matches, type RequestFilter } from './match.ts'

interface Waiter<T> {
  wanted: RequestFilter
  take: (found: T | undefined) => void
}

/** Those who wait for what is to come. */
export class Waiting<T extends { method: string; path: string }> {
  readonly #waiters = new Set<Waiter<T>>()

  /** The next that matches, or nothing when none came within so many milliseconds. */
  next(wanted: RequestFilter, patience: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const take = (found: T | undefined) => {
        clearTimeout(timer)
        this.#waiters.delete(waiter)
        resolve(found)
      }
      const waiter = { wanted, take }
      const timer = setTimeout(take, patience, undefined)
      this.#waiters.add(waiter)
    })
  }

  /** Gives what came to all who wait for the like. */
  tell(found: T) {
    for (const { wanted, take } of this.#waiters) if (matches(wanted, found)) take(found)
  }
}
