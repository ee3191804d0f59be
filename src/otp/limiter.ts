import { DurableObject } from 'cloudflare:workers'
import { accept, createLog, forget, longestOf, prune, type Rule, waitFor } from './window.ts'

/** The id of a place that was taken, or the seconds until one is free. */
type Reserved = { id: number } | { retryAfter: number }

/** How long a place that is only asked for may be in doubt; after that it counts, until it is given back. */
const patience = 20_000

/** What was accepted under one key lately. One object per key; what is counted survives any restart. */
export class Limiter extends DurableObject<unknown> {
  #isReady = false
  #emptyAt = 0
  /** The last id that was given out, so that a place which is given back is no other's. */
  #last = 0
  /** Places that may be given back at any moment. */
  readonly #doubtful = new Map<number, ReturnType<typeof setTimeout>>()
  readonly #waiting: (() => void)[] = []

  /** Takes a place where every rule has one free, in one step: never more than any rule allows, whoever else asks. */
  reserve(rules: Rule[], now = Date.now()): Reserved {
    const sql = this.#log()
    const wait = waitFor(sql, rules, now)
    if (wait > 0) return { retryAfter: Math.ceil(wait / 1_000) }
    const longest = longestOf(rules)
    prune(sql, now - longest)
    this.#last = accept(sql, now, this.#last)
    this.#keepFor(longest, now)
    return { id: this.#last }
  }

  /** Gives a place back, as if it had not been taken. */
  release(id: number): void {
    forget(this.#log(), id)
    this.#settle(id)
  }

  /**
   * The same for a place that will most likely be given back at once: while only such ones are in the way it waits for
   * them. Who takes one says soon, by `release` or `keep`, what becomes of it.
   */
  async reserveInTurn(rules: Rule[]): Promise<Reserved> {
    let reserved = this.reserve(rules)
    while (!('id' in reserved) && this.#doubtful.size > 0) {
      await new Promise<void>((go) => this.#waiting.push(go))
      reserved = this.reserve(rules)
    }
    if ('id' in reserved) this.#doubt(reserved.id)
    // Nothing is left that they could wait for.
    else for (const go of this.#waiting.splice(0)) go()
    return reserved
  }

  /** Lets a place of `reserveInTurn` count. */
  keep(id: number): void {
    this.#settle(id)
  }

  /** By now nothing counts that was accepted before it was set. */
  override async alarm(): Promise<void> {
    if (this.#emptyAt > Date.now()) return this.ctx.storage.setAlarm(this.#emptyAt)
    this.#isReady = false
    await this.ctx.storage.deleteAll()
  }

  /** The object may have been emptied since the last time. */
  #log(): SqlStorage {
    if (!this.#isReady) this.ctx.storage.sql.exec(createLog)
    this.#isReady = true
    return this.ctx.storage.sql
  }

  /** Has the object emptied once nothing in it counts, or up to as long again after: a busy one is told so seldom. */
  #keepFor(longest: number, now: number): void {
    if (now + longest <= this.#emptyAt) return
    this.#emptyAt = now + 2 * longest
    void this.ctx.storage.setAlarm(this.#emptyAt)
  }

  #doubt(id: number): void {
    this.#doubtful.set(
      id,
      setTimeout(() => this.#settle(id), patience),
    )
  }

  /** One who waits may look whether a place became free. */
  #settle(id: number): void {
    clearTimeout(this.#doubtful.get(id))
    this.#doubtful.delete(id)
    this.#waiting.shift()?.()
  }
}
