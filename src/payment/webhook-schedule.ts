import { DurableObject } from 'cloudflare:workers'
import type { DatabaseEnv } from '#core/db/open'
import { describe, log } from '#core/http/log'
import { scheduleFlush } from '#core/metrics/flush'
import type { PaymentVariables } from './env.ts'
import { failure } from './errors.ts'
import { delayAfter, longestDelay } from './schedule.ts'
import { tellOperator } from './webhook-sender.ts'

interface Due {
  transaction: number
  /** How many attempts were made, but for those that failed for a reason of our own. */
  attempts: number
  /** In milliseconds since 1970. */
  next_at: number
  /** Though the operator has acknowledged it. */
  again: boolean
}

interface Run {
  /** Its request is on its way: what is sent from now on comes after it. */
  sent: PromiseWithResolvers<void>
  answered: PromiseWithResolvers<void>
  over: PromiseWithResolvers<void>
}

/** The longest that the platform may take to begin an attempt that is due, until its request leaves. */
const slowest = 5_000

/** After an attempt that failed for a reason of our own, which is none of the operator's. */
const ownDelay = 60_000

/** Sees one payment told to the operator: attempts by the schedule until one is acknowledged. One object per payment. */
export class Webhook extends DurableObject<DatabaseEnv & PaymentVariables> {
  /** The attempt that is due at once. */
  #next: Run | undefined
  /** The attempt under way, if somebody waits for it. */
  #current: Run | undefined
  #isRunning = false

  /** Starts the first attempt, unless it was started before. Resolves when its request has left. */
  async begin(transaction: number): Promise<void> {
    if (!this.#due) await this.#attempt(transaction, false)
  }

  /** Waits for the answer to the attempt that was started last, for at most so many milliseconds. */
  async answered(waitMs: number): Promise<void> {
    const run = this.#current ?? this.#next
    if (run) await isWithin(run.answered, waitMs)
  }

  /** Makes an attempt now, and goes on from the start of the schedule, also for what was acknowledged. 409 while one is under way. */
  async again(transaction: number, patience: number): Promise<void> {
    if (this.#isRunning) throw failure('webhook_processing', undefined, { retryAfter: 15 })
    await isWithin((await this.#attempt(transaction, true)).over, patience)
  }

  /**
   * When the next attempt is due, in milliseconds since 1970; nothing where none is. Puts an alarm right that was lost, or
   * that was set by a clock which was ahead.
   */
  async nextAt(): Promise<number | undefined> {
    const due = this.#due
    if (!due || this.#isRunning) return due?.next_at
    const latest = Date.now() + longestDelay
    const next_at = Math.min(due.next_at, latest)
    const alarm = await this.ctx.storage.getAlarm()
    if (alarm !== null && alarm <= latest) return next_at
    this.#due = { ...due, next_at }
    await this.ctx.storage.setAlarm(Math.max(next_at, Date.now() + 1))
    return next_at
  }

  override async alarm() {
    const due = this.#due
    const run = this.#next
    this.#next = undefined
    this.#current = run
    this.#isRunning = true
    try {
      if (due) await this.#tell(due, run)
    } finally {
      this.#current = undefined
      this.#isRunning = false
      run?.sent.resolve()
      run?.answered.resolve()
      run?.over.resolve()
      scheduleFlush(this.env)
    }
  }

  /** Makes an attempt due, and gives it when its request has left. */
  async #attempt(transaction: number, again: boolean): Promise<Run> {
    this.#next ??= {
      sent: Promise.withResolvers(),
      answered: Promise.withResolvers(),
      over: Promise.withResolvers(),
    }
    const run = this.#next
    this.#due = { transaction, attempts: 0, next_at: Date.now(), again: again || (this.#due?.again ?? false) }
    await this.ctx.storage.setAlarm(Date.now() + 1)
    await isWithin(run.sent, slowest)
    return run
  }

  async #tell(due: Due, run: Run | undefined): Promise<void> {
    const { transaction } = due
    let { attempts } = due
    let delay: number | undefined = ownDelay
    try {
      const steps = { sent: () => run?.sent.resolve(), answered: () => run?.answered.resolve() }
      const isOver = await tellOperator(this.env, due, steps)
      attempts++
      delay = isOver ? undefined : delayAfter(attempts)
    } catch (error) {
      log('error', { component: 'payment', route: 'webhook', transaction, ...describe(error) })
    }
    if (delay === undefined) await this.ctx.storage.deleteAll()
    else {
      const next_at = Date.now() + delay
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

async function isWithin({ promise }: PromiseWithResolvers<void>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
