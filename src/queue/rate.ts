const windowSeconds = 60

/** Average rate of ended requests over the last minute, for `GET /workers`: a ring buffer of one count per second. */
export class Rate {
  readonly #counts = new Uint32Array(windowSeconds)
  #newest = 0

  count(events: number, now: number) {
    this.#counts[this.#advance(now)]! += events
  }

  perSecond(now: number): number {
    this.#advance(now)
    return this.#counts.reduce((sum, n) => sum + n, 0) / windowSeconds
  }

  /** Clears the counts of the seconds since the last event. Returns the index of the current second. */
  #advance(now: number): number {
    const second = Math.floor(now / 1000)
    for (let at = Math.max(this.#newest + 1, second - windowSeconds + 1); at <= second; at++)
      this.#counts[at % windowSeconds] = 0
    this.#newest = Math.max(this.#newest, second)
    return this.#newest % windowSeconds
  }
}
