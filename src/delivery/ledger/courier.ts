import { Failure } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { CourierEnv } from '../env.ts'
import { postFraction, postSlice, standingOf, withdrawTask } from '../tasks.ts'
import { firstUnfetched, hasAllPieces, wantsPieces } from './fraction.ts'
import { readHead } from './head.ts'
import { Outlets } from './outlets.ts'
import { waitFor } from './rate.ts'
import { dropPosted, endSlice, makeSlices, notePosted, oldestPosted, unpostedSlices } from './slices.ts'
import type { LedgerHead } from './tables.ts'

/** After the queue has failed, in milliseconds. */
const pause = 5_000

/** How many tasks it is given at a time. */
const atOnce = 6

/** How long a slice waits in the queue at the most, in milliseconds: one that comes too early has another one follow it. */
const longestDelay = 3_600_000

/** How many slices are looked after in one go. */
const lookedAfter = 20

/**
 * Has the queue do what the books ask for: one fraction while pieces are to be fetched, slices for what is in line. What it
 * was not told, since it failed or a crash came between, it is told again; what it has lost too.
 */
export class Courier {
  /** Why the queue could not be told all, the last time. */
  failure: Failure | undefined
  /** Not before this time. */
  retryAt = 0
  readonly #sql: SqlStorage
  #misses = 0
  /** How many slices a delivery with a rate has at once: as few as it takes to keep to it. */
  #lanes = 1
  /** What the queue asked for was in vain: it is told of one slice at a time until it is heard again. */
  #isInVain = false

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Tells the queue all that it does not know yet. */
  async tell(env: CourierEnv): Promise<void> {
    if (Date.now() < this.retryAt) return
    try {
      await this.#withdrawStale(env)
      await this.#matchFraction(env)
      await this.#postSlices(env)
      this.failure = undefined
      this.retryAt = 0
    } catch (error) {
      this.retryAt = Date.now() + pause
      if (!Failure.is(error)) throw error
      this.failure = error
      log('error', { component: 'delivery', route: 'courier', ...describe(error.cause ?? error) })
    }
  }

  /** One slice more at a time, where less is sent than might be. */
  widen(): void {
    this.#lanes++
  }

  /** What the queue asks for gets through. */
  hear(): void {
    this.#isInVain = false
  }

  /** Sees that there is a fraction where one is wanted, and none where none is. */
  async #matchFraction(env: CourierEnv): Promise<void> {
    const head = readHead(this.#sql)
    if (!head) return
    const isWanted = wantsPieces(head, new Outlets(this.#sql).sourceHeldUntil, Date.now())
    if (isWanted && head.fraction === null) await this.#postFraction(env, head)
    // One that has brought all its pieces ends by itself.
    if (isWanted || head.fraction === null || hasAllPieces(head)) return
    await withdrawTask(env, head.fraction)
    this.#sql.exec('UPDATE head SET fraction = NULL WHERE fraction = ?', head.fraction)
  }

  /**
   * The key and what is posted with it stay the same until the queue has answered, so that a repeat finds the same task. After
   * two failures another key is taken, since the queue may not know any more what became of the first one; a second fraction
   * would find the pieces of the first one done.
   */
  async #postFraction(env: CourierEnv, head: LedgerHead): Promise<void> {
    const { ledger, fraction_number: number, max, gap } = head
    const min = head.fraction_from ?? firstUnfetched(this.#sql, head)
    this.#sql.exec('UPDATE head SET fraction_from = ?', min)
    const isSame = `fraction_number = ${number}`
    const next = 'fraction_number = fraction_number + 1, fraction_from = NULL'
    try {
      const task = await postFraction(env, ledger, { min, max, gap }, `delivery-${ledger}-${number}`)
      this.#misses = 0
      const kept = this.#sql.exec(`UPDATE head SET fraction = ?, ${next} WHERE ${isSame} RETURNING 1`, task).toArray()
      if (kept.length === 0) this.#sql.exec('INSERT OR IGNORE INTO stale VALUES (?)', task)
    } catch (error) {
      const isUnderWay = Failure.is(error) && error.code === 'idempotency_key_in_use'
      if (!isUnderWay && ++this.#misses % 2 === 0) this.#sql.exec(`UPDATE head SET ${next} WHERE ${isSame}`)
      throw error
    }
  }

  async #withdrawStale(env: CourierEnv): Promise<void> {
    for (const { task } of this.#sql.exec<{ task: string }>('SELECT task FROM stale').toArray()) {
      await withdrawTask(env, task)
      this.#sql.exec('DELETE FROM stale WHERE task = ?', task)
    }
  }

  async #postSlices(env: CourierEnv): Promise<void> {
    for (;;) {
      const head = readHead(this.#sql)
      if (!head) return
      const now = Date.now()
      makeSlices(this.#sql, head, this.#lanesOf(head), now)
      const slices = unpostedSlices(this.#sql, atOnce)
      if (slices.length === 0) return
      const delay = Math.min(Math.ceil(waitFor(head, now)), longestDelay)
      await Promise.all(slices.map((slice) => this.#postSlice(env, head.ledger, slice, delay)))
    }
  }

  #lanesOf({ max_per_second }: LedgerHead): number {
    if (this.#isInVain) return 1
    return max_per_second === null ? Number.POSITIVE_INFINITY : this.#lanes
  }

  async #postSlice(env: CourierEnv, ledger: string, slice: number, delay: number): Promise<void> {
    const task = await postSlice(env, ledger, slice, delay)
    notePosted(this.#sql, slice, task, Date.now())
  }

  /** Takes back what brings pieces, if the queue can be told. */
  async withdraw(env: CourierEnv): Promise<void> {
    const { fraction } = readHead(this.#sql) ?? {}
    if (fraction) await withdrawTask(env, fraction).catch(() => undefined)
  }

  /**
   * Looks after what the queue was told long ago, when it has asked for nothing in a while. What it does not have any more it is
   * told again; so it is what it has tried in vain, which it would try again ever later, and under a secret that has changed for
   * nothing.
   */
  async lookAfter(env: CourierEnv): Promise<void> {
    const { fraction } = readHead(this.#sql) ?? {}
    if (fraction && (await standingOf(env, fraction)) !== 'pending') {
      this.#sql.exec('INSERT OR IGNORE INTO stale VALUES (?)', fraction)
      this.#sql.exec('UPDATE head SET fraction = NULL WHERE fraction = ?', fraction)
    }
    for (let n = 0; n < lookedAfter; n++) {
      const slice = oldestPosted(this.#sql)
      const standing = slice && (await standingOf(env, slice.task))
      if (standing === 'failing') {
        this.#isInVain = true
        dropPosted(this.#sql)
      }
      if (standing !== 'over') return
      endSlice(this.#sql, slice!.id)
    }
  }
}
