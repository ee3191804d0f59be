// The states of a circuit breaker for a server or provider that messages are sent to. Pure functions: durable objects store the
// state.

/** The circuit opens after this many consecutive failures. */
export const failureThreshold = 5

/** How long a circuit stays open the first time. Doubles after each failed probe, up to `maxOpenMs`. */
export const firstOpenMs = 10_000
const maxOpenMs = 60_000

export interface CircuitState {
  failures: number
  /** How long the circuit stays open, in milliseconds; 0 while the circuit is closed. */
  openMs: number
  openUntil: number
  /** End of the lease of the probe, in milliseconds since the epoch. After it, another probe is allowed. */
  probeUntil: number
}

export const closedCircuit: CircuitState = { failures: 0, openMs: 0, openUntil: 0, probeUntil: 0 }

export interface CircuitView {
  state: 'closed' | 'open' | 'half_open'
  /** Number of consecutive failures so far. */
  failures: number
  /** Milliseconds until the circuit allows a message; 0 if it allows one now. */
  retryAfterMs: number
}

/** Outcomes since the last report: whether a message was sent, and the number of failures after the last success. */
export interface OutcomeReport {
  hasSuccess: boolean
  failures: number
  /** Whether the report is about the probe, and thus has a single outcome. */
  isProbe?: boolean
}

export function viewCircuit({ failures, openMs, openUntil, probeUntil }: CircuitState, now: number): CircuitView {
  if (openMs === 0) return { state: 'closed', failures, retryAfterMs: 0 }
  if (now < openUntil) return { state: 'open', failures, retryAfterMs: openUntil - now }
  return { state: 'half_open', failures, retryAfterMs: Math.max(0, probeUntil - now) }
}

/**
 * The state after reported outcomes. Unless the circuit is closed, only the probe's outcome counts: all other messages were
 * sent before the circuit opened.
 */
export function reportOutcome(
  before: CircuitState,
  { hasSuccess, failures, isProbe }: OutcomeReport,
  now: number,
): CircuitState {
  if (before.openMs === 0) {
    const total = hasSuccess ? failures : before.failures + failures
    return total < failureThreshold ? { ...closedCircuit, failures: total } : opened(total, firstOpenMs, now)
  }
  if (!isProbe) return before
  return hasSuccess ? closedCircuit : opened(before.failures + 1, Math.min(before.openMs * 2, maxOpenMs), now)
}

const opened = (failures: number, openMs: number, now: number): CircuitState => ({
  ...{ failures, openMs },
  ...{ openUntil: now + openMs, probeUntil: 0 },
})
