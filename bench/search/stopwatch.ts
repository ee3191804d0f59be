/** Milliseconds that some work takes, to about a microsecond, where the clock shows whole ones only, as workerd's does. */
export class Stopwatch {
  readonly #now: () => number
  readonly #looks: number

  constructor(now = () => performance.now()) {
    this.#now = now
    this.#tick()
    this.#looks = Math.max(...Array.from({ length: 10 }, () => this.#tick()))
  }

  /** Begins when the clock strikes; how much of the last millisecond is left is told by how often one can look until it does. */
  time(work: () => void): number {
    this.#tick()
    const begun = this.#now()
    work()
    const left = this.#tick() / this.#looks
    return this.#now() - begun - Math.min(left, 1)
  }

  /** Waits until the clock strikes; how often it has looked. */
  #tick(): number {
    const at = this.#now()
    let looks = 0
    while (this.#now() === at) looks++
    return looks
  }
}
