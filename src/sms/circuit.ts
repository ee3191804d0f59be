// The durable object that stores the state of a provider's circuit breaker, for all isolates. `breaker.ts` calls it and caches
// its state.
import { DurableObject } from 'cloudflare:workers'
import {
  type CircuitState,
  type CircuitView,
  closedCircuit,
  type OutcomeReport,
  reportOutcome,
  viewCircuit,
} from '#core/outlets/circuit'

/**
 * If the outcome of a probe is not reported within this time, another probe is allowed: the isolate with the first one may have
 * crashed. The time is longer than the provider's timeout.
 */
const probeLeaseMs = 20_000

/**
 * Decision about one message. `isProbe`: the circuit is half open and waits for this message; it closes if the message is sent.
 */
export interface Admission extends CircuitView {
  isAdmitted: boolean
  isProbe: boolean
}

/**
 * Durable object: the circuit breaker of one provider, for all requests and isolates. The circuit opens after
 * `failureThreshold` consecutive failures. After `openMs` it allows one message as a probe, and it closes if the probe is sent.
 */
export class ProviderCircuit extends DurableObject<unknown> {
  /** Decides whether a message may be sent. A half-open circuit allows only one message at a time, the probe. */
  admit(now = Date.now()): Admission {
    const view = this.view(now)
    const isAdmitted = view.retryAfterMs === 0
    const isProbe = isAdmitted && view.state === 'half_open'
    if (isProbe) this.#stored = { ...this.#stored, probeUntil: now + probeLeaseMs }
    return { ...view, isAdmitted, isProbe }
  }

  /** Counts reported outcomes. */
  report(outcomes: OutcomeReport, now = Date.now()): CircuitView {
    const before = this.#stored
    const after = reportOutcome(before, outcomes, now)
    if (after !== before) this.#stored = after
    return viewCircuit(after, now)
  }

  view(now = Date.now()): CircuitView {
    return viewCircuit(this.#stored, now)
  }

  get #stored(): CircuitState {
    return this.ctx.storage.kv.get<CircuitState>('circuit') ?? closedCircuit
  }

  set #stored(state: CircuitState) {
    this.ctx.storage.kv.put('circuit', state)
  }
}
