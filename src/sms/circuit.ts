import { DurableObject } from 'cloudflare:workers'

/** Consecutive failures of the provider itself after which its circuit opens. */
export const failureThreshold = 5

/** How long a circuit stays open the first time; doubles with every probe that fails, up to `maxOpenMs`. */
export const firstOpenMs = 10_000
const maxOpenMs = 60_000

/** Longer than a provider has for one message. A probe that was not reported by then is lost, and another one is allowed. */
const probeLeaseMs = 20_000

export interface CircuitView {
  state: 'closed' | 'open' | 'half_open'
  /** Consecutive failures so far. */
  failures: number
  /** Milliseconds until a message may be sent; 0 if one may be sent now. */
  retryAfterMs: number
}

/** Whether a message may be sent; the probe of a half-open circuit decides by its outcome whether the circuit closes. */
export interface Admission extends CircuitView {
  isAdmitted: boolean
  isProbe: boolean
}

/** Outcomes since the last report: whether one was a success, and how many failures came after the last success. */
export interface OutcomeReport {
  hasSuccess: boolean
  failures: number
  /** The one outcome is that of the probe. */
  isProbe?: boolean
}

interface Stored {
  failures: number
  /** 0 while the circuit is closed. */
  openMs: number
  openUntil: number
  probeUntil: number
}

const closed: Stored = { failures: 0, openMs: 0, openUntil: 0, probeUntil: 0 }

/**
 * Circuit breaker of one provider over all requests and isolates. It opens after `failureThreshold` consecutive failures,
 * allows one probe after `openMs`, and closes when the probe succeeds.
 */
export class ProviderCircuit extends DurableObject<unknown> {
  /** Asks for leave to send a message. A half-open circuit gives it to one message at a time. */
  admit(now = Date.now()): Admission {
    const view = this.view(now)
    const isAdmitted = view.retryAfterMs === 0
    const isProbe = isAdmitted && view.state === 'half_open'
    if (isProbe) this.#stored = { ...this.#stored, probeUntil: now + probeLeaseMs }
    return { ...view, isAdmitted, isProbe }
  }

  /** Counts outcomes. While the circuit is not closed only the probe's outcome counts: the others began before it opened. */
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

  get #stored(): Stored {
    return this.ctx.storage.kv.get<Stored>('circuit') ?? closed
  }

  set #stored(stored: Stored) {
    this.ctx.storage.kv.put('circuit', stored)
  }
}

const opened = (failures: number, openMs: number, now: number): Stored => ({
  ...{ failures, openMs },
  ...{ openUntil: now + openMs, probeUntil: 0 },
})
