const seconds = 60

/** Counts what happens, by the second, over the last minute. */
export class Rate {
  readonly #counts = new Uint32Array(seconds)
  #newest = 0

  count(events: number, now: number) {
    this.#counts[this.#advance(now)]! += events
  }

  perSecond(now: number): number {
    this.#advance(now)
    return this.#counts.reduce((sum, n) => sum + n, 0) / seconds
  }

  /** Clears the seconds in which nothing happened; gives the present one's place. */
  #advance(now: number): number {
    const second = Math.floor(now / 1000)
    for (let at = Math.max(this.#newest + 1, second - seconds + 1); at <= second; at++) this.#counts[at % seconds] = 0
    this.#newest = Math.max(this.#newest, second)
    return this.#newest % seconds
  }
}
