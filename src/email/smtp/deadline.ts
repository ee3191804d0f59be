// Timeouts of an SMTP session: one for each step, and one for the whole session.

/** A step has not ended before its deadline. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/**
 * Moves its timer only if it would fire too late, since most steps end long before their deadline.
 */
export class Deadline {
  readonly #passed = Promise.withResolvers<never>()
  readonly #end: number
  #deadlineAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When the timer fires. */
  #timerAt = Number.POSITIVE_INFINITY

  /** @param totalMs timeout of all steps together */
  constructor(totalMs: number) {
    this.#end = Date.now() + totalMs
    this.#passed.promise.catch(() => undefined)
  }

  /** Rejects with `DeadlinePassed` when a deadline passes. */
  get passed(): Promise<never> {
    return this.#passed.promise
  }

  /** Begins a step with a timeout. */
  begin(timeoutMs: number) {
    this.#deadlineAt = Math.min(Date.now() + timeoutMs, this.#end)
    if (this.#deadlineAt < this.#timerAt) this.#arm()
  }

  /** Stops the timer after the last step. */
  clear() {
    clearTimeout(this.#timer)
  }

  #arm() {
    clearTimeout(this.#timer)
    this.#timerAt = this.#deadlineAt
    this.#timer = setTimeout(() => {
      if (Date.now() < this.#deadlineAt) this.#arm()
      else this.#passed.reject(new DeadlinePassed())
    }, this.#deadlineAt - Date.now())
  }
}
