// Durable object that schedules the webhook attempts of one payment with alarms. webhook-sender.ts sends them.
import { DurableObject } from 'cloudflare:workers'
import type { DatabaseEnv } from '#core/db/open'
import { describe, log } from '#core/http/log'
import { scheduleFlush } from '#core/metrics/flush'
import type { PaymentVariables } from './env.ts'
import { failure } from './errors.ts'
import { deliverWebhook } from './webhook-sender.ts'

const secondMs = 1_000
const retryDelaysMs = [10 * secondMs, 60 * secondMs, 300 * secondMs, 900 * secondMs, 3_600 * secondMs]
const maxRetryDelayMs = retryDelaysMs.at(-1)!

/** Milliseconds from the end of attempt number `attempts` to the next: 10 s, 1, 5 and 15 min, then every hour without end. */
export const delayAfter = (attempts: number): number => retryDelaysMs[attempts - 1] ?? maxRetryDelayMs

/** The stored schedule of one payment. Older versions read it too, so its keys keep their names. */
interface Due {
  transaction: number
  /** Number of finished attempts. Attempts that failed because of an error on our side do not count. */
  attempts: number
  /** In milliseconds since 1970. */
  next_at: number
  /** Send the webhook even if the merchant has acknowledged it. */
  again: boolean
}

/** The stages of one attempt, for callers that wait for them. */
interface Attempt {
  requestSent: PromiseWithResolvers<void>
  responded: PromiseWithResolvers<void>
  finished: PromiseWithResolvers<void>
}

/** How long `start` waits for the alarm to run and the request to leave. */
const maxStartDelayMs = 5_000

/** Retry delay after an error on our side, such as a failed database query. */
const internalErrorDelayMs = 60_000

/** Retries the webhook on the schedule until the merchant acknowledges it. One object per payment. */
export class Webhook extends DurableObject<DatabaseEnv & PaymentVariables> {
  /** The attempt that is due now and has not started. */
  #next: Attempt | undefined
  /** The attempt in progress, if a caller waits for it. */
  #current: Attempt | undefined
  #isRunning = false

  /** Starts the first attempt, unless it has been started before. Resolves when the request has left. */
  async start(transaction: number): Promise<void> {
    if (!this.#due) await this.#schedule(transaction, false)
  }

  /** Waits at most `maxWaitMs` for the response to the last attempt that was started. */
  async waitForResponse(maxWaitMs: number): Promise<void> {
    const attempt = this.#current ?? this.#next
    if (attempt) await isWithin(attempt.responded, maxWaitMs)
  }

  /**
   * Sends the webhook now, even if it has been acknowledged, and restarts the retry schedule. Waits at most `maxWaitMs` for the
   * attempt to finish. Throws 409 while an attempt is in progress.
   */
  async resend(transaction: number, maxWaitMs: number): Promise<void> {
    if (this.#isRunning) throw failure('webhook_processing', undefined, { retryAfter: 15 })
    await isWithin((await this.#schedule(transaction, true)).finished, maxWaitMs)
  }

  /**
   * Time of the next attempt in milliseconds since 1970; undefined if none is scheduled. Repairs an alarm that was lost, or
   * was set while the clock was ahead.
   */
  async nextAt(): Promise<number | undefined> {
    const due = this.#due
    if (!due || this.#isRunning) return due?.next_at
    const latest = Date.now() + maxRetryDelayMs
    const next_at = Math.min(due.next_at, latest)
    const alarm = await this.ctx.storage.getAlarm()
    if (alarm !== null && alarm <= latest) return next_at
    this.#due = { ...due, next_at }
    await this.ctx.storage.setAlarm(Math.max(next_at, Date.now() + 1))
    return next_at
  }

  override async alarm() {
    const due = this.#due
    const attempt = this.#next
    this.#next = undefined
    this.#current = attempt
    this.#isRunning = true
    try {
      if (due) await this.#deliver(due, attempt)
    } finally {
      this.#current = undefined
      this.#isRunning = false
      attempt?.requestSent.resolve()
      attempt?.responded.resolve()
      attempt?.finished.resolve()
      scheduleFlush(this.env)
    }
  }

  /** Schedules an attempt for now, and returns it when its request has left. */
  async #schedule(transaction: number, again: boolean): Promise<Attempt> {
    this.#next ??= {
      requestSent: Promise.withResolvers(),
      responded: Promise.withResolvers(),
      finished: Promise.withResolvers(),
    }
    const attempt = this.#next
    this.#due = { transaction, attempts: 0, next_at: Date.now(), again: again || (this.#due?.again ?? false) }
    await this.ctx.storage.setAlarm(Date.now() + 1)
    await isWithin(attempt.requestSent, maxStartDelayMs)
    return attempt
  }

  async #deliver(due: Due, attempt: Attempt | undefined): Promise<void> {
    const { transaction } = due
    let { attempts } = due
    let delayMs: number | undefined = internalErrorDelayMs
    try {
      const isDone = await deliverWebhook(this.env, due, {
        onRequestSent: () => attempt?.requestSent.resolve(),
        onResponse: () => attempt?.responded.resolve(),
      })
      attempts++
      delayMs = isDone ? undefined : delayAfter(attempts)
    } catch (error) {
      log('error', { component: 'payment', route: 'webhook', transaction, ...describe(error) })
    }
    if (delayMs === undefined) await this.ctx.storage.deleteAll()
    else {
      const next_at = Date.now() + delayMs
      this.#due = { ...due, attempts, next_at }
      await this.ctx.storage.setAlarm(next_at)
    }
  }

  get #due(): Due | undefined {
    return this.ctx.storage.kv.get<Due>('due')
  }

  set #due(due: Due) {
    this.ctx.storage.kv.put('due', due)
  }
}

/** Whether a promise settles within the given time. */
async function isWithin({ promise }: PromiseWithResolvers<void>, maxWaitMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, maxWaitMs, false)
  })
  try {
    return await Promise.race([promise.then(() => true), timeout])
  } finally {
    clearTimeout(timer)
  }
}
