import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { type Admission, type CircuitView, failureThreshold, firstOpenMs, type OutcomeReport } from './circuit.ts'
import type { ProviderCode } from './contract.ts'
import { Pacer } from './pacer.ts'

/** How long an isolate relies on what it knows of a circuit, and for how long it gathers outcomes for one report. */
const cacheMs = 1_000

/** How long a message waits for the object of its circuit. */
const objectTimeoutMs = 2_000

/** The object of a circuit, as a stub has it. */
interface Circuit {
  admit(): Promise<Admission>
  report(report: OutcomeReport): Promise<CircuitView>
}

const nothing: OutcomeReport = { hasSuccess: false, failures: 0 }

/**
 * What this isolate knows of a provider's circuit. While the circuit is closed its object is asked once a second at most,
 * and told of failures, and of the first success after them: a healthy provider costs no call per message.
 */
export class CircuitBreaker {
  readonly #circuit: () => Circuit
  #view: CircuitView = { state: 'closed', failures: 0, retryAfterMs: 0 }
  #checkedAt = 0
  #reportedAt = 0
  #unreported = nothing

  /** `circuit` makes a new stub for each call, since one belongs to the request that made it. */
  constructor(circuit: () => Circuit) {
    this.#circuit = circuit
  }

  /** Milliseconds until the provider may be asked, as far as this isolate knows; 0 if it may be asked now. */
  get retryAfterMs(): number {
    return Math.max(0, this.#checkedAt + this.#view.retryAfterMs - Date.now())
  }

  /** Whether a message may be sent, without a call of the object; `undefined` if only the object can tell. */
  admitCached(): Admission | undefined {
    if (Date.now() >= this.#checkedAt + cacheMs) return undefined
    if (this.#view.state === 'closed') return this.#admitted()
    return this.retryAfterMs > 0 ? { ...this.#view, isAdmitted: false, isProbe: false } : undefined
  }

  /** Asks the object whether a message may be sent. If the object does not answer, the message is sent. */
  async admit(): Promise<Admission> {
    const admission = await this.#call((circuit) => circuit.admit())
    this.#update(admission ?? { ...this.#view, state: 'closed', retryAfterMs: 0 })
    if (!admission) return this.#admitted()
    // The probe is taken now: other messages of this isolate need not ask for it.
    if (admission.isProbe) this.#view = { ...this.#view, retryAfterMs: cacheMs }
    return admission
  }

  /** Counts an outcome; gives the report to be awaited if one is due now. */
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

  /** Reports what was counted and is not reported yet. */
  async flush(): Promise<void> {
    const report = this.#unreported
    if (report.hasSuccess || report.failures > 0) await this.#report(report)
  }

  async #report(report: OutcomeReport): Promise<void> {
    this.#reportedAt = Date.now()
    this.#unreported = nothing
    this.#view = { ...this.#view, failures: total(this.#view.failures, report) }
    const view = await this.#call((circuit) => circuit.report(report))
    if (view) this.#update(view)
  }

  #admitted(): Admission {
    return { state: 'closed', failures: this.#failures, retryAfterMs: 0, isAdmitted: true, isProbe: false }
  }

  #update({ state, failures, retryAfterMs }: CircuitView) {
    // The wait of a half-open circuit is the lease of a probe, which may succeed much earlier: ask again soon.
    const waitMs = state === 'half_open' ? Math.min(retryAfterMs, cacheMs) : retryAfterMs
    this.#view = { state, failures, retryAfterMs: waitMs }
    this.#checkedAt = Date.now()
  }

  get #failures(): number {
    return total(this.#view.failures, this.#unreported)
  }

  /** An object that cannot be asked must not keep messages from being sent. */
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

/** What all requests of an isolate share of a provider. */
interface Shared {
  breaker: CircuitBreaker
  pacer: Pacer
}

const shared = new WeakMap<Env, Map<ProviderCode, Shared>>()

/** The circuit breaker and the rate of a provider, which all requests of an isolate share. */
export function sharedOf(env: Env, code: ProviderCode): Shared {
  const own = shared.get(env) ?? new Map<ProviderCode, Shared>()
  shared.set(env, own)
  const breaker = () => new CircuitBreaker(() => env.PROVIDER_CIRCUIT.getByName(code))
  const found = own.get(code) ?? { breaker: breaker(), pacer: new Pacer() }
  own.set(code, found)
  return found
}

/** The state of a provider's circuit, as its object has it. */
export const circuitOf = async (env: Env, code: ProviderCode): Promise<CircuitView> =>
  env.PROVIDER_CIRCUIT.getByName(code).view()
