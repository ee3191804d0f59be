// Adaptive rate limiter for the messages to one provider, in the memory of one isolate. It learns the provider's limit from the
// messages that the provider throttles.

/** Bounds of the interval between messages. The minimum is used when the provider throttles for the first time. */
const minIntervalMs = 100
const maxIntervalMs = 10_000

/** Share by which each accepted message shortens the interval. It is small, so that the provider throttles few messages. */
const decreasePerMessage = 0.005

/**
 * Doubles the interval between messages when the provider throttles, and shortens it with every accepted message. Until the
 * provider throttles for the first time, there is no interval.
 */
export class Pacer {
  #intervalMs = 0
  #nextAt = 0
  #busyUntil = 0

  /** Reserves the next time slot and returns the milliseconds until then. */
  reserve(now: number): number {
    const wait = this.waitFor(now)
    this.#nextAt = now + wait + this.#intervalMs
    return wait
  }

  /** Milliseconds until the next message may be sent. */
  waitFor(now: number): number {
    return Math.max(0, this.#nextAt - now, this.#busyUntil - now)
  }

  /** Whether the provider has asked to wait, and that time is not over. */
  isBusy(now: number): boolean {
    return now < this.#busyUntil
  }

  /** Records that the provider throttled a message, and may be asked again after `waitMs`. */
  throttled(now: number, waitMs: number) {
    // Messages that were sent together are throttled together. Only the first of them doubles the interval.
    if (!this.isBusy(now)) this.#intervalMs = Math.min(Math.max(this.#intervalMs * 2, minIntervalMs), maxIntervalMs)
    this.#busyUntil = Math.max(this.#busyUntil, now + waitMs)
    this.#nextAt = Math.max(now, this.#busyUntil)
  }

  /** Records that the provider accepted a message, which shortens the interval a little. */
  accepted() {
    const shortened = this.#intervalMs * (1 - decreasePerMessage)
    this.#intervalMs = shortened < minIntervalMs / 2 ? 0 : shortened
  }
}
