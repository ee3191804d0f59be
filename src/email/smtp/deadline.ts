/** A step has not ended in time. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** Times one step after the other, and all of them together, with as few timers as may be: most steps end long before. */
export class Deadline {
  readonly #passed = Promise.withResolvers<never>()
  readonly #end: number
  #due = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When the timer goes off. */
  #looks = Number.POSITIVE_INFINITY

  /** Of so many milliseconds for all steps. */
  constructor(all: number) {
    this.#end = Date.now() + all
    this.#passed.promise.catch(() => undefined)
  }

  /** Rejects with `DeadlinePassed`. */
  get passed(): Promise<never> {
    return this.#passed.promise
  }

  /** A step begins, which may take so many milliseconds. */
  begin(most: number) {
    this.#due = Math.min(Date.now() + most, this.#end)
    if (this.#due < this.#looks) this.#arm()
  }

  /** All steps are over. */
  clear() {
    clearTimeout(this.#timer)
  }

  #arm() {
    clearTimeout(this.#timer)
    this.#looks = this.#due
    this.#timer = setTimeout(() => {
      if (Date.now() < this.#due) this.#arm()
      else this.#passed.reject(new DeadlinePassed())
    }, this.#due - Date.now())
  }
}
