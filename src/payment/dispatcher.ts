// Durable object that starts the first webhook attempt of each payment, in the order of arrival.
import { DurableObject } from 'cloudflare:workers'
import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import { describe, log } from '#core/http/log'
import { migrate } from '#core/objects/migrate'
import type { PaymentVariables } from './env.ts'
import { schema } from './schema.ts'
import { listPending } from './transactions.ts'
import type { Webhook } from './webhook-schedule.ts'

interface DispatcherEnv extends DatabaseEnv, PaymentVariables {
  WEBHOOK: DurableObjectNamespace<Webhook>
}

/** Maximum number of first attempts that wait for a response at the same time. */
const maxInFlight = 16

/** An attempt without a response after this time no longer counts as in flight, so a slow merchant does not hold up others. */
const maxResponseWaitMs = 1_000

/** The dispatcher searches this number of ids before the highest started one too: Postgres may commit a lower id after a higher one. */
const lateCommitWindow = 1_000

/** Maximum number of payments that one run of the alarm starts. */
const maxPerRun = 200

/** Delay of the next run after an error. */
const retryDelayMs = 1_000

/** An alarm that is further from now than this was lost, or was set while the clock was wrong: `wake` sets a new one. */
const maxAlarmDistanceMs = 5 * retryDelayMs

/** Maximum number of pending payments that one sweep checks, and their minimum age: younger ones may be about to start. */
const maxPerSweep = 200
const minSweepAgeMs = 60_000

/** Starts the first attempts, several at a time. One object for all payments; the `Webhook` object of each payment schedules its retries. */
export class Dispatcher extends DurableObject<DispatcherEnv> {
  /** Attempts whose request has left and which have no response yet. */
  readonly #inFlight = new Set<Promise<void>>()
  #previousStart: Promise<void> = Promise.resolve()

  constructor(ctx: DurableObjectState, env: DispatcherEnv) {
    super(ctx, env)
    migrate(ctx.storage, ['CREATE TABLE begun (id INTEGER PRIMARY KEY)'])
  }

  /** Schedules a run that starts new payments, unless one is scheduled. */
  async wake(): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm()
    const isScheduled = alarm !== null && Math.abs(alarm - Date.now()) <= maxAlarmDistanceMs
    if (!isScheduled) await this.ctx.storage.setAlarm(Date.now() + 1)
  }

  /** Restarts webhooks whose alarm was lost, for example in a crash. Checks one page of pending payments after the last one. */
  async resume(): Promise<void> {
    const after = this.ctx.storage.kv.get<number>('swept') ?? 0
    const before = new Date(Date.now() - minSweepAgeMs)
    const ids = await listPending(open(this.env, schema), { after, before, limit: maxPerSweep })
    for (const id of ids)
      await this.#runIsolated(id, async () => {
        if ((await this.#webhook(id).nextAt()) === undefined) await this.#startInOrder(id)
      })
    this.ctx.storage.kv.put('swept', ids.length === maxPerSweep ? ids.at(-1)! : 0)
    await this.wake()
  }

  override async alarm() {
    let delayMs: number | undefined = retryDelayMs
    try {
      const ids = await this.#listNew()
      let haveAllStarted = true
      for (const id of ids)
        haveAllStarted = (await this.#runIsolated(id, () => this.#startInOrder(id))) && haveAllStarted
      this.#deleteOldIds()
      if (haveAllStarted) delayMs = ids.length === maxPerRun ? 1 : undefined
    } catch (error) {
      log('error', { component: 'payment', route: 'dispatcher', ...describe(error) })
    }
    if (delayMs !== undefined) await this.ctx.storage.setAlarm(Date.now() + delayMs)
  }

  /** Ids of pending payments that have not been started. */
  async #listNew(): Promise<number[]> {
    const { sql } = this.ctx.storage
    const after = Math.max(this.#lastStartedId() - lateCommitWindow, 0)
    const ids = await listPending(open(this.env, schema), { after, limit: lateCommitWindow + maxPerRun })
    const started = new Set(
      sql
        .exec<{ id: number }>('SELECT id FROM begun')
        .toArray()
        .map(({ id }) => id),
    )
    return ids.filter((id) => !started.has(id)).slice(0, maxPerRun)
  }

  /** Starts an attempt when the request of the previous one has left, also during a sweep, so that webhooks leave in order of arrival. */
  #startInOrder(id: number): Promise<void> {
    const started = this.#previousStart.then(() => this.#start(id))
    this.#previousStart = started.catch(() => undefined)
    return started
  }

  async #start(id: number): Promise<void> {
    if (this.#inFlight.size >= maxInFlight) await Promise.race(this.#inFlight)
    await this.#webhook(id).start(id)
    const response = this.#waitForResponse(id).finally(() => this.#inFlight.delete(response))
    this.#inFlight.add(response)
    this.ctx.storage.sql.exec('INSERT OR IGNORE INTO begun (id) VALUES (?)', id)
  }

  async #waitForResponse(id: number): Promise<void> {
    await this.#runIsolated(id, () => this.#webhook(id).waitForResponse(maxResponseWaitMs))
  }

  /** Runs work for one payment. Logs its error, so that it does not stop the others; returns whether the work succeeded. */
  async #runIsolated(transaction: number, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      log('error', { component: 'payment', route: 'dispatcher', transaction, ...describe(error) })
      return false
    }
  }

  #lastStartedId(): number {
    const { id } = this.ctx.storage.sql.exec<{ id: number | null }>('SELECT max(id) AS id FROM begun').one()
    return id ?? 0
  }

  #deleteOldIds() {
    this.ctx.storage.sql.exec('DELETE FROM begun WHERE id <= ?', this.#lastStartedId() - lateCommitWindow)
  }

  #webhook = (id: number) => this.env.WEBHOOK.getByName(String(id))
}
