// Enforces the timeouts of an SMTP session: one for each step, and one for each message with all its steps. A silent server must not hold a
// request for ever.

/** Thrown when a step has not ended before its deadline. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/**
 * The deadline of the current step, and of the session or its current message. It moves its timer only if the timer would fire too late, since most
 * steps end long before their deadline.
 */
export class Deadline {
  readonly #passed = Promise.withResolvers<never>()
  #end: number
  #deadlineAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When the timer fires, in milliseconds since the epoch. This may be before the deadline; the timer is then set again. */
  #timerAt = Number.POSITIVE_INFINITY

  /** @param totalMs timeout of the whole session */
  constructor(totalMs: number) {
    this.#end = Date.now() + totalMs
    this.#passed.promise.catch(() => undefined)
  }

  /** A promise that rejects with `DeadlinePassed` when the deadline passes. Operations race against it. */
  get passed(): Promise<never> {
    return this.#passed.promise
  }

  /** Begins a step: sets its deadline, but no later than the end of the session. */
  begin(timeoutMs: number) {
    this.#deadlineAt = Math.min(Date.now() + timeoutMs, this.#end)
    if (this.#deadlineAt < this.#timerAt) this.#arm()
  }

  /** Stops the timer when the session has ended, or waits for the next message. */
  clear() {
    clearTimeout(this.#timer)
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  /** Sets another end of the session, for its next message. */
  restart(totalMs: number) {
    this.#end = Date.now() + totalMs
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
