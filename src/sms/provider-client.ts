import { log } from '#core/http/log'
import type { CircuitBreaker } from './breaker.ts'
import type { Admission } from './circuit.ts'
import { Pacer } from './pacer.ts'
import type { Message, ProviderOutcome, Reason } from './providers/provider.ts'
import type { Provider } from './providers.ts'

/** How long a provider has for one message. */
export const providerTimeoutMs = 15_000

/** How often a throttling provider is asked again for the same message, and how long it is waited for each time at most. */
const maxRepeats = 3
const maxWaitMs = 10_000
const defaultWaitMs = 1_000

/** Refusals that the next message would meet too. They count as failures of the provider, as does an unknown outcome. */
const ownReasons: ReadonlySet<Reason> = new Set(['credentials', 'balance', 'unavailable', 'unreachable'])

/** How a message is sent. */
interface Attempt {
  /** No request is made at this time or later. */
  until: number
  timeoutMs: number
  isProbe: boolean
}

/** Sends the messages of one request to one provider, and reports what comes of them to its circuit breaker. */
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

  /** Milliseconds until the circuit lets a message pass, as far as it is known here. */
  get retryAfterMs(): number {
    return this.#breaker.retryAfterMs
  }

  /** Asks the circuit whether a message may be sent; the messages of a request share one call of its object. */
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
   * What the provider does with a message; `undefined` if it was not asked, since it is too late or the circuit has opened.
   * A throttling provider gets the time that it wants, from all messages of the isolate, and is asked again.
   */
  async send(message: Message, attempt: Attempt): Promise<ProviderOutcome | undefined> {
    let last: ProviderOutcome | undefined
    for (let repeat = 0; repeat <= maxRepeats; repeat++) {
      const isProbe = attempt.isProbe && repeat === 0
      const queuedMs = this.#pacer.waitFor(Date.now())
      // Too many messages wait already: the next provider may be faster.
      if (queuedMs > maxWaitMs) return last ?? { state: 'refused', reason: 'throttled', retryAfter: queuedMs / 1_000 }
      if (!(await this.#isFree(attempt.until, isProbe))) return last
      last = await this.#sendOnce(message, attempt.timeoutMs)
      this.#report(last, isProbe)
      const wait = waitOf(last)
      if (wait === undefined) return last
      this.#pacer.throttled(Date.now(), wait)
    }
    return last
  }

  /** Resolves when the circuit knows all outcomes. */
  async finish(): Promise<void> {
    await Promise.all([this.#breaker.flush(), ...this.#reports])
  }

  /** Waits until the provider may be asked; false if it may not. */
  async #isFree(until: number, isProbe: boolean): Promise<boolean> {
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
    const isFailure = outcome.state === 'unknown' || (outcome.state === 'refused' && ownReasons.has(outcome.reason))
    const report = this.#breaker.count(isFailure, isProbe)
    if (!report) return
    this.#reports.add(report)
    void report.finally(() => this.#reports.delete(report))
  }
}

/** Milliseconds after which a provider wants to be asked again; `undefined` if it does not, or not soon. */
function waitOf(outcome: ProviderOutcome): number | undefined {
  if (outcome.state !== 'refused') return undefined
  const { reason, retryAfter } = outcome
  if (retryAfter === undefined) return reason === 'throttled' ? defaultWaitMs : undefined
  return retryAfter * 1_000 <= maxWaitMs ? retryAfter * 1_000 : undefined
}

/** Where an error came from. Its message may contain the text or the phone. */
const framesOf = (error: unknown) =>
  error instanceof Error
    ? { error: error.name, at: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) }
    : { error: typeof error }
