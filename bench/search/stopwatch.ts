/**
 * Measures durations to about a microsecond with a clock of whole milliseconds, such as workerd's, for the search
 * benchmark.
 */
export class Stopwatch {
  readonly #now: () => number
  readonly #looks: number

  constructor(now = () => performance.now()) {
    this.#now = now
    this.#tick()
    this.#looks = Math.max(...Array.from({ length: 10 }, () => this.#tick()))
  }

  /**
   * Measures the duration of some work in milliseconds. Starts when the clock advances; the rest of the last
   * millisecond is computed from the number of clock reads until the next advance.
   */
  time(work: () => void): number {
    this.#tick()
    const begun = this.#now()
    work()
    const left = this.#tick() / this.#looks
    return this.#now() - begun - Math.min(left, 1)
  }

  /** Waits until the clock advances. Returns the number of clock reads. */
  #tick(): number {
    const at = this.#now()
    let looks = 0
    while (this.#now() === at) looks++
    return looks
  }
}
