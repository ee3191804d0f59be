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

/** First attempts that wait for an answer at the same time. */
const maxInFlight = 16

/** Milliseconds after which an attempt without an answer holds up no other: later ones overtake a slow merchant's answers. */
const answerWaitMs = 1_000

/** How many ids before the last one begun may still turn up: a Postgres does not always commit in the order of ids. */
const window = 1_000

/** How many payments are begun before the object takes a breath. */
const perRun = 200

/** Milliseconds after which what failed is begun again, and how far from now its alarm may be. */
const retry = 1_000
const farOff = 5 * retry

/** How many payments a sweep looks at, and how old they must be to be looked at. */
const swept = { most: 200, age: 60_000 }

/**
 * Starts the first attempts in the order in which payments arrived, several of them in flight at a time. One object for all;
 * later attempts are scheduled by each payment's own object.
 */
export class Dispatcher extends DurableObject<DispatcherEnv> {
  /** Attempts whose requests have left, until they are answered. */
  readonly #inFlight = new Set<Promise<void>>()
  #before: Promise<void> = Promise.resolve()

  constructor(ctx: DurableObjectState, env: DispatcherEnv) {
    super(ctx, env)
    migrate(ctx.storage, ['CREATE TABLE begun (id INTEGER PRIMARY KEY)'])
  }

  /** Begins what has arrived. */
  async wake(): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm()
    // One that is far off was lost, or set by a clock that was wrong.
    const isSet = alarm !== null && Math.abs(alarm - Date.now()) <= farOff
    if (!isSet) await this.ctx.storage.setAlarm(Date.now() + 1)
  }

  /** Takes up what a crash left, or a lost alarm: a page of what is pending, after that of the sweep before. */
  async takeUp(): Promise<void> {
    const { most, age } = swept
    const after = this.ctx.storage.kv.get<number>('swept') ?? 0
    const before = new Date(Date.now() - age)
    const ids = await listPending(open(this.env, schema), { after, before, limit: most })
    for (const id of ids)
      await this.#hasDone(id, async () => {
        if ((await this.#webhook(id).nextAt()) === undefined) await this.#begin(id)
      })
    this.ctx.storage.kv.put('swept', ids.length === most ? ids.at(-1)! : 0)
    await this.wake()
  }

  override async alarm() {
    let pause: number | undefined = retry
    try {
      const ids = await this.#arrived()
      let isDone = true
      for (const id of ids) isDone = (await this.#hasDone(id, () => this.#begin(id))) && isDone
      this.#forget()
      if (isDone) pause = ids.length === perRun ? 1 : undefined
    } catch (error) {
      log('error', { component: 'payment', route: 'dispatcher', ...describe(error) })
    }
    if (pause !== undefined) await this.ctx.storage.setAlarm(Date.now() + pause)
  }

  /** What was not begun yet. */
  async #arrived(): Promise<number[]> {
    const { sql } = this.ctx.storage
    const after = Math.max(this.#last() - window, 0)
    const ids = await listPending(open(this.env, schema), { after, limit: window + perRun })
    const begun = new Set(
      sql
        .exec<{ id: number }>('SELECT id FROM begun')
        .toArray()
        .map(({ id }) => id),
    )
    return ids.filter((id) => !begun.has(id)).slice(0, perRun)
  }

  /** Starts one at a time, also during a sweep: the next begins when the request of the one before has left. */
  #begin(id: number): Promise<void> {
    const begun = this.#before.then(() => this.#beginNow(id))
    this.#before = begun.catch(() => undefined)
    return begun
  }

  async #beginNow(id: number): Promise<void> {
    if (this.#inFlight.size >= maxInFlight) await Promise.race(this.#inFlight)
    await this.#webhook(id).begin(id)
    const answered = this.#answered(id).finally(() => this.#inFlight.delete(answered))
    this.#inFlight.add(answered)
    this.ctx.storage.sql.exec('INSERT OR IGNORE INTO begun (id) VALUES (?)', id)
  }

  async #answered(id: number): Promise<void> {
    await this.#hasDone(id, () => this.#webhook(id).answered(answerWaitMs))
  }

  /** Does something for a payment; what fails keeps no other from its turn. */
  async #hasDone(transaction: number, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      log('error', { component: 'payment', route: 'dispatcher', transaction, ...describe(error) })
      return false
    }
  }

  #last(): number {
    const { id } = this.ctx.storage.sql.exec<{ id: number | null }>('SELECT max(id) AS id FROM begun').one()
    return id ?? 0
  }

  #forget() {
    this.ctx.storage.sql.exec('DELETE FROM begun WHERE id <= ?', this.#last() - window)
  }

  #webhook = (id: number) => this.env.WEBHOOK.getByName(String(id))
}
