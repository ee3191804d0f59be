// Callers that wait until requests arrive which match a condition.

interface Waiter<T> {
  matches: (request: T) => boolean
  /** Number of matching requests that are still missing. */
  missing: number
  take: (request: T | undefined) => void
}

/** Callers that wait for the next matching requests. */
export class Waiters<T> {
  readonly #waiters = new Set<Waiter<T>>()

  /** The next request that matches, or the last of `count` of them; undefined after `waitMs`. */
  next(matches: (request: T) => boolean, waitMs: number, count = 1): Promise<T | undefined> {
    return new Promise((resolve) => {
      const take = (request: T | undefined) => {
        clearTimeout(timer)
        this.#waiters.delete(waiter)
        resolve(request)
      }
      const waiter = { matches, missing: count, take }
      const timer = setTimeout(take, waitMs, undefined)
      this.#waiters.add(waiter)
    })
  }

  /** Counts the request for every waiter that it matches, and resolves those that have all. */
  resolve(request: T) {
    for (const waiter of this.#waiters) if (waiter.matches(request) && --waiter.missing === 0) waiter.take(request)
  }
}
