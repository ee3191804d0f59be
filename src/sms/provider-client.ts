// Sends the messages of one request to one provider, with the provider's circuit breaker, its rate limiter and retries. The
// drivers in `providers/` make the HTTP requests.
import { log } from '#core/http/log'
import type { CircuitBreaker } from './breaker.ts'
import type { Admission } from './circuit.ts'
import { Pacer } from './pacer.ts'
import type { Message, ProviderOutcome, Reason } from './providers/driver.ts'
import type { Provider } from './providers.ts'

/** Timeout of one message at a provider. After that its outcome is unknown. */
export const providerTimeoutMs = 15_000

/** Number of retries of a message that the provider throttles, and the bounds of the wait before each retry. */
const maxRetries = 3
const maxWaitMs = 10_000
const defaultWaitMs = 1_000

/**
 * Reasons that concern the account and not the message. They count as failures of the provider, and so does an unknown outcome.
 */
const accountReasons: ReadonlySet<Reason> = new Set(['credentials', 'balance', 'unavailable', 'unreachable'])

interface SendOptions {
  /** Time from which no request begins, in milliseconds since the epoch. */
  until: number
  timeoutMs: number
  isProbe: boolean
}

/** Client of one provider for the messages of one request. Reports the outcomes to the circuit breaker. */
export class ProviderClient {
  readonly provider: Provider
  readonly #breaker: CircuitBreaker
  readonly #reports = new Set<Promise<void>>()
  readonly #pacer: Pacer
  #admitting: Promise<Admission> | undefined

  constructor(provider: Provider, breaker: CircuitBreaker, pacer = new Pacer()) {
    this.provider = provider
    this.#breaker = breaker
    this.#pacer = pacer
  }

  /** Milliseconds until the circuit allows a message, by the cached state; 0 if it allows one now. */
  get retryAfterMs(): number {
    return this.#breaker.retryAfterMs
  }

  /** Asks the circuit whether a message may be sent. Concurrent messages share one call of the circuit's durable object. */
  async admit(): Promise<Admission> {
    while (this.#admitting) await this.#admitting
    const cached = this.#breaker.admitCached()
    if (cached) return cached
    this.#admitting = this.#breaker.admit()
    return this.#admitting.finally(() => {
      this.#admitting = undefined
    })
  }

  /**
   * Sends a message and returns its outcome. Returns undefined if the provider was not asked, because the deadline passed or
   * the circuit opened. If the provider throttles, all messages of the isolate wait, and this one is retried.
   */
  async send(message: Message, options: SendOptions): Promise<ProviderOutcome | undefined> {
    let last: ProviderOutcome | undefined
    for (let attempt = 0; attempt <= maxRetries; attempt++) {
      const isProbe = options.isProbe && attempt === 0
      const queuedMs = this.#pacer.waitFor(Date.now())
      // Too many messages wait for this provider: the next provider may be faster.
      if (queuedMs > maxWaitMs) return last ?? { state: 'refused', reason: 'throttled', retryAfter: queuedMs / 1_000 }
      if (!(await this.#waitForSlot(options.until, isProbe))) return last
      last = await this.#sendOnce(message, options.timeoutMs)
      this.#report(last, isProbe)
      const wait = waitOf(last)
      if (wait === undefined) return last
      this.#pacer.throttled(Date.now(), wait)
    }
    return last
  }

  /** Resolves when all outcomes are reported to the circuit. */
  async finish(): Promise<void> {
    await Promise.all([this.#breaker.flush(), ...this.#reports])
  }

  /** Waits for a slot of the rate limiter. Returns false if the deadline comes first, or if the circuit opens meanwhile. */
  async #waitForSlot(until: number, isProbe: boolean): Promise<boolean> {
    do {
      if (Date.now() + this.#pacer.waitFor(Date.now()) >= until) return false
      const wait = this.#pacer.reserve(Date.now())
      if (wait > 0) await scheduler.wait(wait)
    } while (this.#pacer.isBusy(Date.now()))
    return isProbe || this.retryAfterMs === 0
  }

  async #sendOnce(message: Message, timeoutMs: number): Promise<ProviderOutcome> {
    const { driver, account, code } = this.provider
    try {
      return await driver.send(account, message, timeoutMs)
    } catch (error) {
      log('error', { component: 'sms', route: 'driver', provider: code, ...framesOf(error) })
      return { state: 'unknown', reason: 'unreadable' }
    }
  }

  #report(outcome: ProviderOutcome, isProbe: boolean) {
    if (outcome.state === 'sent') this.#pacer.accepted()
    const isFailure = outcome.state === 'unknown' || (outcome.state === 'refused' && accountReasons.has(outcome.reason))
    const report = this.#breaker.count(isFailure, isProbe)
    if (!report) return
    this.#reports.add(report)
    void report.finally(() => this.#reports.delete(report))
  }
}

/** Milliseconds until a message is retried. Undefined if the outcome is final, or if the wait would exceed `maxWaitMs`. */
function waitOf(outcome: ProviderOutcome): number | undefined {
  if (outcome.state !== 'refused') return undefined
  const { reason, retryAfter } = outcome
  if (retryAfter === undefined) return reason === 'throttled' ? defaultWaitMs : undefined
  return retryAfter * 1_000 <= maxWaitMs ? retryAfter * 1_000 : undefined
}

/** The stack frames of an error, without its message, which may contain the text or the phone. */
const framesOf = (error: unknown) =>
  error instanceof Error
    ? { error: error.name, at: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) }
    : { error: typeof error }
