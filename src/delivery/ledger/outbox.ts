// The outbox of a ledger: creates, checks and deletes the queue tasks that fetch pieces and send slices.
import { Failure } from '#core/failure'
import { describe, log } from '#core/http/log'
import type { LedgerEnv } from '../env.ts'
import { postFraction, postSlice, standingOf, withdrawTask } from '../tasks.ts'
import { firstUnfetched, hasAllPieces, wantsPieces } from './fraction.ts'
import { readHead } from './head.ts'
import { Outlets } from './outlets.ts'
import { waitFor } from './rate.ts'
import { createSlices, deletePosted, endSlice, oldestPosted, recordPosted, unpostedSlices } from './slices.ts'
import type { LedgerHead } from './tables.ts'

/** Pause after an error of the queue, before the next attempt. */
const retryPauseMs = 5_000

/** Number of slices whose queue tasks are created at a time. */
const maxConcurrentTasks = 6

/** Maximum delay with which the queue runs a slice. A slice that cannot send yet ends, and the ledger creates another one. */
const maxDelayMs = 3_600_000

/** Maximum number of slices whose tasks are checked at a time. */
const maxChecked = 20

/**
 * Transactional outbox: the ledger's tables record which tasks are needed, so that no crash loses one. It keeps one fraction
 * while pieces are to be fetched, and slices for the queued messages. It creates tasks again that the queue did not accept or
 * has lost.
 */
export class Outbox {
  /** The error of the last attempt, if it failed. */
  failure: Failure | undefined
  /** Time before which no attempt is made. */
  retryAt = 0
  readonly #sql: SqlStorage
  #failures = 0
  /**
   * Maximum number of slices of a delivery with a rate limit. Starts with one slice and grows until the slices reach the rate.
   */
  #maxSlices = 1
  /** Whether the queue's calls to this component fail. Only one slice at a time is created then, until a call arrives. */
  #areCallsFailing = false

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Creates and deletes queue tasks until they match the state of the ledger. */
  async flush(env: LedgerEnv): Promise<void> {
    if (Date.now() < this.retryAt) return
    try {
      await this.#withdrawStale(env)
      await this.#matchFraction(env)
      await this.#postSlices(env)
      this.failure = undefined
      this.retryAt = 0
    } catch (error) {
      this.retryAt = Date.now() + retryPauseMs
      if (!Failure.is(error)) throw error
      this.failure = error
      log('error', { component: 'delivery', route: 'courier', ...describe(error.cause ?? error) })
    }
  }

  /** Allows one more slice, because fewer messages are sent than the rate limit allows. */
  addSlice(): void {
    this.#maxSlices++
  }

  /** Records that a call of the queue has arrived: the queue reaches this component. */
  recordCall(): void {
    this.#areCallsFailing = false
  }

  /** Creates the fraction if pieces are to be fetched, and deletes it if they are not. */
  async #matchFraction(env: LedgerEnv): Promise<void> {
    const head = readHead(this.#sql)
    if (!head) return
    const isRequired = wantsPieces(head, new Outlets(this.#sql).sourceHeldUntil, Date.now())
    if (isRequired && head.fraction === null) await this.#postFraction(env, head)
    // If all pieces are fetched, the fraction needs no deletion: it ends by itself.
    if (isRequired || head.fraction === null || hasAllPieces(head)) return
    await withdrawTask(env, head.fraction)
    this.#sql.exec('UPDATE head SET fraction = NULL WHERE fraction = ?', head.fraction)
  }

  /**
   * Creates the fraction. Until the queue replies, repeats use the same idempotency key and range, so that only one task is
   * created. After two failures another key is used, since the queue may never complete the request with the first one. If both
   * requests create a task, the second one does no harm: its pieces are fetched already.
   */
  async #postFraction(env: LedgerEnv, head: LedgerHead): Promise<void> {
    const { ledger, fraction_number: number, max, gap } = head
    const min = head.fraction_from ?? firstUnfetched(this.#sql, head)
    this.#sql.exec('UPDATE head SET fraction_from = ?', min)
    const isSame = `fraction_number = ${number}`
    const next = 'fraction_number = fraction_number + 1, fraction_from = NULL'
    try {
      const task = await postFraction(env, ledger, { min, max, gap }, `delivery-${ledger}-${number}`)
      this.#failures = 0
      const updated = this.#sql
        .exec(`UPDATE head SET fraction = ?, ${next} WHERE ${isSame} RETURNING 1`, task)
        .toArray()
      if (updated.length === 0) this.#sql.exec('INSERT OR IGNORE INTO stale VALUES (?)', task)
    } catch (error) {
      const isInProgress = Failure.is(error) && error.code === 'idempotency_key_in_use'
      if (!isInProgress && ++this.#failures % 2 === 0) this.#sql.exec(`UPDATE head SET ${next} WHERE ${isSame}`)
      throw error
    }
  }

  async #withdrawStale(env: LedgerEnv): Promise<void> {
    for (const { task } of this.#sql.exec<{ task: string }>('SELECT task FROM stale').toArray()) {
      await withdrawTask(env, task)
      this.#sql.exec('DELETE FROM stale WHERE task = ?', task)
    }
  }

  async #postSlices(env: LedgerEnv): Promise<void> {
    for (;;) {
      const head = readHead(this.#sql)
      if (!head) return
      const now = Date.now()
      createSlices(this.#sql, head, this.#maxSlicesOf(head), now)
      const slices = unpostedSlices(this.#sql, maxConcurrentTasks)
      if (slices.length === 0) return
      const delay = Math.min(Math.ceil(waitFor(head, now)), maxDelayMs)
      await Promise.all(slices.map((slice) => this.#postSlice(env, head.ledger, slice, delay)))
    }
  }

  #maxSlicesOf({ max_per_second }: LedgerHead): number {
    if (this.#areCallsFailing) return 1
    return max_per_second === null ? Number.POSITIVE_INFINITY : this.#maxSlices
  }

  async #postSlice(env: LedgerEnv, ledger: string, slice: number, delay: number): Promise<void> {
    const task = await postSlice(env, ledger, slice, delay)
    recordPosted(this.#sql, slice, task, Date.now())
  }

  /** Deletes the fraction's task. Errors of the queue are ignored: calls of a deleted delivery have no effect. */
  async deleteFraction(env: LedgerEnv): Promise<void> {
    const { fraction } = readHead(this.#sql) ?? {}
    if (fraction) await withdrawTask(env, fraction).catch(() => undefined)
  }

  /**
   * Checks the tasks after the queue has made no call for a while. Lost tasks are created again. So are tasks whose calls fail:
   * the queue would retry them with growing delays, and in vain if the secret of the proof has changed.
   */
  async checkTasks(env: LedgerEnv): Promise<void> {
    const { fraction } = readHead(this.#sql) ?? {}
    if (fraction && (await standingOf(env, fraction)) !== 'pending') {
      this.#sql.exec('INSERT OR IGNORE INTO stale VALUES (?)', fraction)
      this.#sql.exec('UPDATE head SET fraction = NULL WHERE fraction = ?', fraction)
    }
    for (let n = 0; n < maxChecked; n++) {
      const slice = oldestPosted(this.#sql)
      const standing = slice && (await standingOf(env, slice.task))
      if (standing === 'failing') {
        this.#areCallsFailing = true
        deletePosted(this.#sql)
      }
      if (standing !== 'over') return
      endSlice(this.#sql, slice!.id)
    }
  }
}
