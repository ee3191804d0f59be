// Handles the queue's call `POST /slice`: claims up to 50 messages from the ledger, sends them and reports their outcomes to
// the ledger.
import { describe, log } from '#core/http/log'
import { TemplateError } from '#core/template/template'
import type { Env } from './bindings.ts'
import type { Send } from './channels/channel-call.ts'
import { sendEmail } from './channels/email.ts'
import { sendFeedRecord } from './channels/feed.ts'
import { sendSms } from './channels/sms.ts'
import type { SliceCall } from './contract/internal.ts'
import type { Channel } from './contract.ts'
import type { ClaimedMessage, SliceClaims } from './ledger/claims.ts'
import type { MessageOutcome, SettledClaim } from './ledger/settlement.ts'
import { sliceSize, sliceTimeMs, sliceWaitMs } from './ledger/slices.ts'
import { countMessage } from './metrics.ts'
import type { Recipient } from './recipients.ts'
import { cachedTexts, cacheTexts, type DeliveryTexts } from './texts.ts'

/** Messages sent at a time. A Worker invocation has six connections, and one of them is for calls to the ledger. */
const concurrency = 5

/** Interval at which the leases of claims are renewed, well before the leases expire after 30 s. */
const renewIntervalMs = 10_000

/**
 * Outcomes are reported to the ledger in batches: when this number is settled, or this time after the first. A call to the
 * ledger costs as much as sending a message.
 */
const outcomeBatch = { messages: 5, waitMs: 10 }

/**
 * A ledger that does not reply may be moving to another machine, so the call is retried with exponential backoff: this many
 * attempts, with this first delay.
 */
const maxAttempts = 7
const firstRetryMs = 200

/**
 * Sends queued messages and records their outcomes. Ends after 50 messages, after its time limit, or when no message can be
 * sent for now. The ledger creates another slice for the remaining messages.
 */
export async function sendSlice(env: Env, { ledger, slice }: SliceCall): Promise<void> {
  await new Slice(env, ledger, slice).send()
  await env.LEDGER.getByName(ledger).endSlice(slice)
}

class Slice {
  readonly #env: Env
  readonly #ledger: string
  readonly #slice: number
  readonly #endsAt = Date.now() + sliceTimeMs
  readonly #sending = new Map<number, ClaimedMessage>()
  #texts: DeliveryTexts | undefined
  #settled: SettledClaim[] = []
  #remaining = sliceSize
  /** The time from which more messages can be claimed: the rate limit or a held outlet may delay them. */
  #nextAt = 0
  #renewedAt = Date.now()
  /** Resolves when a message is settled or claims have to be renewed, to wake the loop of the slice. */
  #changed = Promise.withResolvers<void>()
  /** Resolves when a batch of outcomes is complete. */
  #batchFull = Promise.withResolvers<void>()

  constructor(env: Env, ledger: string, slice: number) {
    this.#env = env
    this.#ledger = ledger
    this.#slice = slice
    this.#texts = cachedTexts(ledger)
  }

  async send() {
    const timer = setInterval(() => this.#changed.resolve(), renewIntervalMs)
    try {
      await this.#sendAll()
    } finally {
      clearInterval(timer)
    }
  }

  async #sendAll() {
    while (this.#isOpen || this.#sending.size > 0 || this.#settled.length > 0) {
      const room = this.#room
      if (room > 0 || this.#settled.length > 0 || this.#isRenewalDue) await this.#report(room)
      await this.#wait()
    }
  }

  /** Whether this slice still claims messages: fewer than 50 are claimed and its time is not over. */
  get #isOpen(): boolean {
    return this.#remaining > 0 && this.#nextAt < this.#endsAt && Date.now() < this.#endsAt
  }

  get #room(): number {
    if (!this.#isOpen || Date.now() < this.#nextAt) return 0
    return Math.min(concurrency - this.#sending.size, this.#remaining)
  }

  /**
   * Whether claims must be renewed now. Compares with half the interval, since a timer may fire early and the next one would be
   * too late.
   */
  get #isRenewalDue(): boolean {
    return Date.now() - this.#renewedAt >= renewIntervalMs / 2
  }

  /** Reports outcomes to the ledger, and starts to send the messages that the ledger lets this slice claim. */
  async #report(room: number) {
    this.#changed = Promise.withResolvers()
    this.#batchFull = Promise.withResolvers()
    const settled = this.#settled.splice(0)
    const claims = await this.#callLedger(settled, room)
    if (claims.definition) this.#texts = cacheTexts(this.#ledger, claims.version, claims.definition)
    this.#remaining -= claims.messages.length
    if (claims.messages.length < room) this.#nextAt = nextClaimAt(claims.wait)
    for (const message of claims.messages) void this.#send(message, this.#texts!)
  }

  /** Calls the ledger, with retries. A repeated report is safe, because the ledger settles each claim once. */
  async #callLedger(settled: SettledClaim[], limit: number): Promise<SliceClaims> {
    const held = this.#isRenewalDue ? [...this.#sending.values()].map(({ id, claim }) => ({ id, claim })) : []
    if (this.#isRenewalDue) this.#renewedAt = Date.now()
    const report = { slice: this.#slice, settled, held, limit, version: this.#texts?.version ?? 0 }
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#env.LEDGER.getByName(this.#ledger).claimNext(report)
      } catch (error) {
        if (attempt === maxAttempts) throw error
        await scheduler.wait(firstRetryMs * 2 ** (attempt - 1))
      }
    }
  }

  async #send(message: ClaimedMessage, texts: DeliveryTexts) {
    const { id, claim } = message
    this.#sending.set(id, message)
    const outcome = await sendMessage(this.#env, texts, message)
    this.#sending.delete(id)
    countMessage({ channel: message.channel, outcome: outcome.state })
    this.#settled.push({ id, claim, ...outcome })
    this.#changed.resolve()
    if (this.#settled.length >= outcomeBatch.messages || this.#sending.size === 0) this.#batchFull.resolve()
  }

  /** Waits until there is something to report: messages are settled, more can be claimed, or claims must be renewed. */
  async #wait() {
    const wait = this.#isOpen ? this.#nextAt - Date.now() : 0
    if (wait > 0) await settledWithin(wait, this.#changed)
    else if (this.#sending.size > 0) await this.#changed.promise
    if (this.#settled.length > 0 && this.#sending.size > 0) await settledWithin(outcomeBatch.waitMs, this.#batchFull)
  }
}

/** Waits for a promise, but at most this time. */
async function settledWithin(milliseconds: number, { promise, resolve }: PromiseWithResolvers<void>) {
  const timer = setTimeout(resolve, milliseconds)
  await promise
  clearTimeout(timer)
}

/**
 * The time of the next claim. Infinity if there are no more messages, or if the wait is too long for this slice: another slice
 * sends them then.
 */
const nextClaimAt = (wait: number | undefined): number =>
  wait === undefined || wait > sliceWaitMs ? Number.POSITIVE_INFINITY : Date.now() + wait

const senders: Record<Channel, Send> = { email: sendEmail, sms: sendSms, feed: sendFeedRecord }

/**
 * Sends a claimed message through its channel. Never throws: an unexpected error makes the outcome unknown, since the message
 * may have been sent.
 */
async function sendMessage(
  env: Env,
  texts: DeliveryTexts,
  { channel, data, key }: ClaimedMessage,
): Promise<MessageOutcome> {
  try {
    return await senders[channel](env, texts, JSON.parse(data) as Recipient, key)
  } catch (error) {
    if (error instanceof TemplateError) return { state: 'failed', reason: 'render' }
    log('error', { component: 'delivery', route: '/slice', channel, ...describe(error) })
    return { state: 'unknown', reason: 'interrupted' }
  }
}
