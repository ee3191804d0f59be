// The durable object `Limiter`, one per key such as a phone: limits how often passwords are sent and looked up. `guard.ts`
// limits how often they are checked.
import { DurableObject } from 'cloudflare:workers'
import { accept, createLog, maxWindowMs, prune, type Rule, remove, waitForRules } from './sliding-window.ts'

/** A successful reservation has the id of the slot. Otherwise `retryAfter` is the number of seconds until a slot is free. */
type Reservation = { id: number } | { retryAfter: number }

/**
 * Time after which a tentative reservation becomes permanent if neither `release` nor `keep` was called: its caller has
 * probably crashed.
 */
const tentativeMs = 20_000

/**
 * Sliding-window rate limiter of one key, such as a phone. A slot is one counted send or lookup. Slots are stored, so that
 * limits survive a restart.
 */
export class Limiter extends DurableObject<unknown> {
  #isReady = false
  #emptyAt = 0
  /** The id of the last slot. Ids are never reused: releasing a slot twice cannot release another request's slot. */
  #lastId = 0
  /** Timers that end tentative reservations, by the id of the slot. */
  readonly #tentative = new Map<number, ReturnType<typeof setTimeout>>()
  readonly #waiters: (() => void)[] = []

  /** Reserves a slot if every rule has a free one. No other request can run in between, so no rule is ever exceeded. */
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

  /** Releases a slot, so that it does not count: nothing was sent. */
  release(id: number): void {
    remove(this.#openLog(), id)
    this.#settle(id)
  }

  /**
   * Reserves a slot that will most likely be released soon (tentatively). If no slot is free but some are tentative, waits for
   * them instead of rejecting the request. The caller must call `release` or `keep` within `tentativeMs`.
   */
  async reserveInTurn(rules: Rule[]): Promise<Reservation> {
    let reservation = this.reserve(rules)
    while (!('id' in reservation) && this.#tentative.size > 0) {
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
      reservation = this.reserve(rules)
    }
    if ('id' in reservation) this.#markTentative(reservation.id)
    // No tentative slot is left to wait for. Wakes all waiting requests, which are rejected now.
    else for (const resolve of this.#waiters.splice(0)) resolve()
    return reservation
  }

  /** Makes a slot of `reserveInTurn` permanent: it counts from now on. */
  keep(id: number): void {
    this.#settle(id)
  }

  /** Deletes the storage. Returns whether there was any. Slots that are reserved now are released. */
  async forget(): Promise<boolean> {
    const hadSlots = this.#openLog().exec('SELECT 1 FROM accepted LIMIT 1').toArray().length > 0
    for (const timer of this.#tentative.values()) clearTimeout(timer)
    this.#tentative.clear()
    for (const resolve of this.#waiters.splice(0)) resolve()
    this.#isReady = false
    this.#emptyAt = 0
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    return hadSlots
  }

  /** Deletes the storage when no stored slot is inside a window any more, so that unused objects cost nothing. */
  override async alarm(): Promise<void> {
    if (this.#emptyAt > Date.now()) return this.ctx.storage.setAlarm(this.#emptyAt)
    this.#isReady = false
    await this.ctx.storage.deleteAll()
  }

  /** The SQLite storage with its table. Creates the table if it is missing: an alarm may have deleted the storage. */
  #openLog(): SqlStorage {
    if (!this.#isReady) this.ctx.storage.sql.exec(createLog)
    this.#isReady = true
    return this.ctx.storage.sql
  }

  /**
   * Schedules the deletion of the storage one to two windows ahead. The margin keeps a busy object from moving its alarm with
   * every send.
   */
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

  /** Ends the tentative state of a slot, and lets one waiting request try again. */
  #settle(id: number): void {
    clearTimeout(this.#tentative.get(id))
    this.#tentative.delete(id)
    this.#waiters.shift()?.()
  }
}
