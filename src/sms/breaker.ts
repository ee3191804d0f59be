// Circuit breaker of a provider as each isolate sees it. It caches the state that the durable object in `circuit.ts` stores, so
// that most messages need no call to that object.
import { describe, log } from '#core/http/log'
import { type CircuitView, failureThreshold, firstOpenMs, type OutcomeReport } from '#core/outlets/circuit'
import type { Env } from './bindings.ts'
import type { Admission } from './circuit.ts'
import type { ProviderCode } from './contract.ts'
import { Pacer } from './pacer.ts'

/** How long an isolate uses the cached state of a circuit, and the minimum interval between its reports of outcomes. */
const cacheMs = 1_000

/**
 * Timeout of a call to the durable object. After that messages are sent without it, because a slow object must not stop all
 * messages.
 */
const objectTimeoutMs = 2_000

/** The methods of `ProviderCircuit` that the breaker calls through a stub. */
interface Circuit {
  admit(): Promise<Admission>
  report(report: OutcomeReport): Promise<CircuitView>
}

const emptyReport: OutcomeReport = { hasSuccess: false, failures: 0 }

/**
 * Client of a provider's circuit breaker, with a cache per isolate. While the circuit is closed, the isolate asks the durable
 * object at most once a second, and reports only failures and the first success after them. A healthy provider thus causes no
 * call per message.
 */
export class CircuitBreaker {
  readonly #circuit: () => Circuit
  #view: CircuitView = { state: 'closed', failures: 0, retryAfterMs: 0 }
  #checkedAt = 0
  #reportedAt = 0
  #unreported = emptyReport

  /**
   * @param circuit returns a stub of the durable object. It is called for each use, since a stub belongs to the request that
   * created it
   */
  constructor(circuit: () => Circuit) {
    this.#circuit = circuit
  }

  /** Milliseconds until the circuit allows a message, by the cached state; 0 if it allows one now. */
  get retryAfterMs(): number {
    return Math.max(0, this.#checkedAt + this.#view.retryAfterMs - Date.now())
  }

  /**
   * Decides from the cache whether a message may be sent. Returns undefined if the cache is too old, so that the durable object
   * must be asked.
   */
  admitCached(): Admission | undefined {
    if (Date.now() >= this.#checkedAt + cacheMs) return undefined
    if (this.#view.state === 'closed') return this.#admitted()
    return this.retryAfterMs > 0 ? { ...this.#view, isAdmitted: false, isProbe: false } : undefined
  }

  /** Asks the durable object whether a message may be sent. If the object does not answer, the message is sent anyway. */
  async admit(): Promise<Admission> {
    const admission = await this.#call((circuit) => circuit.admit())
    this.#update(admission ?? { ...this.#view, state: 'closed', retryAfterMs: 0 })
    if (!admission) return this.#admitted()
    // This message is the probe. The cached state keeps other messages of this isolate from asking for another one.
    if (admission.isProbe) this.#view = { ...this.#view, retryAfterMs: cacheMs }
    return admission
  }

  /**
   * Counts the outcome of a message. Failures are collected and reported together. Returns the promise of the report if this
   * outcome caused one.
   */
  count(isFailure: boolean, isProbe: boolean): Promise<void> | undefined {
    if (isProbe) return this.#report({ hasSuccess: !isFailure, failures: isFailure ? 1 : 0, isProbe })
    if (!isFailure && this.#failures === 0) return undefined
    const { hasSuccess, failures } = this.#unreported
    this.#unreported = isFailure ? { hasSuccess, failures: failures + 1 } : { hasSuccess: true, failures: 0 }
    const opens = this.#view.state === 'closed' && this.#failures >= failureThreshold
    const isDue = opens || Date.now() >= this.#reportedAt + cacheMs
    const report = isDue ? this.flush() : undefined
    if (opens) this.#update({ state: 'open', failures: this.#failures, retryAfterMs: firstOpenMs })
    return report
  }

  /** Reports the outcomes that were counted since the last report. */
  async flush(): Promise<void> {
    const report = this.#unreported
    if (report.hasSuccess || report.failures > 0) await this.#report(report)
  }

  async #report(report: OutcomeReport): Promise<void> {
    this.#reportedAt = Date.now()
    this.#unreported = emptyReport
    this.#view = { ...this.#view, failures: total(this.#view.failures, report) }
    const view = await this.#call((circuit) => circuit.report(report))
    if (view) this.#update(view)
  }

  #admitted(): Admission {
    return { state: 'closed', failures: this.#failures, retryAfterMs: 0, isAdmitted: true, isProbe: false }
  }

  #update({ state, failures, retryAfterMs }: CircuitView) {
    // In a half-open circuit, `retryAfterMs` is the lease of the probe, which may succeed earlier: ask again after `cacheMs`.
    const waitMs = state === 'half_open' ? Math.min(retryAfterMs, cacheMs) : retryAfterMs
    this.#view = { state, failures, retryAfterMs: waitMs }
    this.#checkedAt = Date.now()
  }

  get #failures(): number {
    return total(this.#view.failures, this.#unreported)
  }

  /**
   * Calls the durable object. Returns undefined on an error or timeout, so that messages are sent without the circuit's state.
   */
  async #call<Result>(work: (circuit: Circuit) => Promise<Result>): Promise<Result | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, objectTimeoutMs, undefined)
    })
    try {
      return await Promise.race([work(this.#circuit()), late])
    } catch (error) {
      log('error', { component: 'sms', route: 'circuit', ...describe(error) })
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }
}

const total = (before: number, { hasSuccess, failures }: OutcomeReport) => (hasSuccess ? 0 : before) + failures

/** State of a provider that all requests of an isolate share: each request must respect what the others have learned. */
interface SharedState {
  breaker: CircuitBreaker
  pacer: Pacer
}

const sharedStates = new WeakMap<Env, Map<ProviderCode, SharedState>>()

/** The circuit breaker and the pacer of a provider, shared by all requests of an isolate. */
export function sharedStateOf(env: Env, code: ProviderCode): SharedState {
  const byProvider = sharedStates.get(env) ?? new Map<ProviderCode, SharedState>()
  sharedStates.set(env, byProvider)
  const breaker = () => new CircuitBreaker(() => env.PROVIDER_CIRCUIT.getByName(code))
  const state = byProvider.get(code) ?? { breaker: breaker(), pacer: new Pacer() }
  byProvider.set(code, state)
  return state
}

/** Reads the state of a provider's circuit from its durable object, for the health check. */
export const readCircuit = async (env: Env, code: ProviderCode): Promise<CircuitView> =>
  env.PROVIDER_CIRCUIT.getByName(code).view()
