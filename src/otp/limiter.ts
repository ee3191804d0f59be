// The durable object `Limiter`: limits how often passwords are sent and looked up. `guard.ts` limits how often they are checked.
import { DurableObject } from 'cloudflare:workers'
import { accept, createLog, maxWindowMs, prune, type Rule, remove, waitForRules } from './sliding-window.ts'

/** The id of the reserved slot, or the seconds until a slot is free. */
type Reservation = { id: number } | { retryAfter: number }

/** A tentative reservation becomes permanent after this time, unless `release` or `keep` is called. */
const tentativeMs = 20_000

/**
 * Sliding-window rate limiter of one key, such as a phone. The slots are stored, so that limits survive a restart.
 */
export class Limiter extends DurableObject<unknown> {
  #isReady = false
  #emptyAt = 0
  /** The last id. Ids are never reused, so that releasing a slot twice cannot release the slot of another request. */
  #lastId = 0
  /** Timers of tentative reservations by id. */
  readonly #tentative = new Map<number, ReturnType<typeof setTimeout>>()
  readonly #waiters: (() => void)[] = []

  /** Reserves a slot if every rule has one free. Atomic, so that no rule is ever exceeded. */
  reserve(rules: Rule[], now = Date.now()): Reservation {
    const sql = this.#openLog()
    const waitMs = waitForRules(sql, rules, now)
    if (waitMs > 0) return { retryAfter: Math.ceil(waitMs / 1_000) }
    const windowMs = maxWindowMs(rules)
    prune(sql, now - windowMs)
    this.#lastId = accept(sql, now, this.#lastId)
    this.#scheduleCleanup(windowMs, now)
    return { id: this.#lastId }
  }

  /** Releases a slot, as if it had not been reserved. */
  release(id: number): void {
    remove(this.#openLog(), id)
    this.#settle(id)
  }

  /**
   * Reserves a slot that will most likely be released soon. If all slots are taken but some are tentative, waits for them
   * instead of refusing. The caller must call `release` or `keep` within `tentativeMs`.
   */
  async reserveInTurn(rules: Rule[]): Promise<Reservation> {
    let reservation = this.reserve(rules)
    while (!('id' in reservation) && this.#tentative.size > 0) {
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
      reservation = this.reserve(rules)
    }
    if ('id' in reservation) this.#markTentative(reservation.id)
    // No tentative slot is left to wait for: wake all waiters, so that they are refused too.
    else for (const resolve of this.#waiters.splice(0)) resolve()
    return reservation
  }

  /** Makes a slot of `reserveInTurn` permanent. */
  keep(id: number): void {
    this.#settle(id)
  }

  /** Deletes the storage once no stored slot is inside a window any more. */
  override async alarm(): Promise<void> {
    if (this.#emptyAt > Date.now()) return this.ctx.storage.setAlarm(this.#emptyAt)
    this.#isReady = false
    await this.ctx.storage.deleteAll()
  }

  /** Creates the table again if an alarm has deleted the storage. */
  #openLog(): SqlStorage {
    if (!this.#isReady) this.ctx.storage.sql.exec(createLog)
    this.#isReady = true
    return this.ctx.storage.sql
  }

  /** Schedules the deletion of the storage, one to two windows ahead: a busy object seldom has to move the alarm. */
  #scheduleCleanup(windowMs: number, now: number): void {
    if (now + windowMs <= this.#emptyAt) return
    this.#emptyAt = now + 2 * windowMs
    void this.ctx.storage.setAlarm(this.#emptyAt)
  }

  #markTentative(id: number): void {
    this.#tentative.set(
      id,
      setTimeout(() => this.#settle(id), tentativeMs),
    )
  }

  /** Ends the tentative state of a slot and lets one waiter try again. */
  #settle(id: number): void {
    clearTimeout(this.#tentative.get(id))
    this.#tentative.delete(id)
    this.#waiters.shift()?.()
  }
}
