/** Interval between messages after the first refusal for throttling, and at most. */
const minIntervalMs = 100
const maxIntervalMs = 10_000

/** Share of the interval that each accepted message takes off: slow, so that few messages are refused in between. */
const decrease = 0.005

/**
 * Adaptive rate of one provider in this isolate: doubles the interval between messages when the provider throttles, lowers
 * it with every accepted message, and has none until the first refusal.
 */
export class Pacer {
  #intervalMs = 0
  #nextAt = 0
  #busyUntil = 0

  /** Milliseconds until the next message may be sent; takes its place in the order. */
  reserve(now: number): number {
    const wait = this.waitFor(now)
    this.#nextAt = now + wait + this.#intervalMs
    return wait
  }

  /** Milliseconds until the next message may be sent. */
  waitFor(now: number): number {
    return Math.max(0, this.#nextAt - now, this.#busyUntil - now)
  }

  /** Whether the provider has asked for time meanwhile. */
  isBusy(now: number): boolean {
    return now < this.#busyUntil
  }

  /** The provider refused a message, and wants to be asked again after `waitMs`. */
  throttled(now: number, waitMs: number) {
    // Messages that were sent together are refused together: they slow down once.
    if (!this.isBusy(now)) this.#intervalMs = Math.min(Math.max(this.#intervalMs * 2, minIntervalMs), maxIntervalMs)
    this.#busyUntil = Math.max(this.#busyUntil, now + waitMs)
    this.#nextAt = Math.max(now, this.#busyUntil)
  }

  accepted() {
    const lowered = this.#intervalMs * (1 - decrease)
    this.#intervalMs = lowered < minIntervalMs / 2 ? 0 : lowered
  }
}
