// The durable object that stores the state of a provider's circuit breaker, for all isolates. `breaker.ts` calls it and caches
// its state.
import { DurableObject } from 'cloudflare:workers'

/** The circuit opens after this many consecutive failures of the provider. Messages then go to other providers. */
export const failureThreshold = 5

/** How long a circuit stays open the first time. Doubles after each failed probe, up to `maxOpenMs`. */
export const firstOpenMs = 10_000
const maxOpenMs = 60_000

/**
 * If the outcome of a probe is not reported within this time, another probe is allowed: the isolate with the first one may have
 * crashed. The time is longer than the provider's timeout.
 */
const probeLeaseMs = 20_000

export interface CircuitView {
  state: 'closed' | 'open' | 'half_open'
  /** Number of consecutive failures so far. */
  failures: number
  /** Milliseconds until the circuit allows a message; 0 if it allows one now. */
  retryAfterMs: number
}

/**
 * Decision about one message. `isProbe`: the circuit is half open and waits for this message; it closes if the message is sent.
 */
export interface Admission extends CircuitView {
  isAdmitted: boolean
  isProbe: boolean
}

/** Outcomes since the last report: whether a message was sent, and the number of failures after the last success. */
export interface OutcomeReport {
  hasSuccess: boolean
  failures: number
  /** Whether the report is about the probe, and thus has a single outcome. */
  isProbe?: boolean
}

interface CircuitState {
  failures: number
  /** How long the circuit stays open, in milliseconds; 0 while the circuit is closed. */
  openMs: number
  openUntil: number
  probeUntil: number
}

const closed: CircuitState = { failures: 0, openMs: 0, openUntil: 0, probeUntil: 0 }

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

  /**
   * Counts reported outcomes. Unless the circuit is closed, only the probe's outcome counts: all other messages were sent
   * before the circuit opened.
   */
  report({ hasSuccess, failures, isProbe = false }: OutcomeReport, now = Date.now()): CircuitView {
    const before = this.#stored
    const isClosed = before.openMs === 0
    if (isClosed) {
      const total = hasSuccess ? failures : before.failures + failures
      this.#stored = total < failureThreshold ? { ...closed, failures: total } : opened(total, firstOpenMs, now)
    } else if (isProbe) {
      this.#stored = hasSuccess ? closed : opened(before.failures + 1, Math.min(before.openMs * 2, maxOpenMs), now)
    }
    return this.view(now)
  }

  view(now = Date.now()): CircuitView {
    const { failures, openMs, openUntil, probeUntil } = this.#stored
    if (openMs === 0) return { state: 'closed', failures, retryAfterMs: 0 }
    if (now < openUntil) return { state: 'open', failures, retryAfterMs: openUntil - now }
    return { state: 'half_open', failures, retryAfterMs: Math.max(0, probeUntil - now) }
  }

  get #stored(): CircuitState {
    return this.ctx.storage.kv.get<CircuitState>('circuit') ?? closed
  }

  set #stored(state: CircuitState) {
    this.ctx.storage.kv.put('circuit', state)
  }
}

const opened = (failures: number, openMs: number, now: number): CircuitState => ({
  ...{ failures, openMs },
  ...{ openUntil: now + openMs, probeUntil: 0 },
})
