// The state of an SMTP server for all messages: circuit breaker, adaptive rate, pause and last error. Stored in the durable
// object of the server.
import { type AdaptiveRate, slowedDown, spedUp } from '#core/outlets/adaptive-rate'
import { type CircuitState, type CircuitView, closedCircuit, reportOutcome, viewCircuit } from '#core/outlets/circuit'
import type { SmtpFailure, SmtpStep } from '../smtp/failure.ts'
import { verdictOf } from './outcome.ts'

/** Why the server gets no message now. */
type HoldReason = 'circuit_open' | 'throttled' | 'paused'

/** The last error that concerned the server. Without the reply's text, which may contain addresses. */
interface OutletError {
  /** Milliseconds since the epoch. */
  at: number
  step: SmtpStep
  reason: string
  code: number | null
  enhanced: string | null
}

interface StoredState {
  circuit: CircuitState
  rate: AdaptiveRate
  isPaused: boolean
  lastError: OutletError | null
}

const initialState: StoredState = {
  circuit: closedCircuit,
  rate: { rate: null, ceiling: null },
  isPaused: false,
  lastError: null,
}

/** The state, for operators. */
export interface OutletStateView {
  circuit: CircuitView
  /** Messages per second, null for no limit. */
  rate: number | null
  isPaused: boolean
  lastError: OutletError | null
}

/** A message that may be sent after `waitMs`. Pass it to `recordSuccess` or `recordFailure`, or to `release`. */
export interface Admitted {
  waitMs: number
  startedAt: number
  isProbe: boolean
}

/** A message that may not be sent now. */
export interface Held {
  reason: HoldReason
  retryAfterMs: number
}

/** A message waits at most this long for its turn at the current rate. */
export const maxRateWaitMs = 10_000

/** How long callers wait before they ask again about a paused server. */
const pausedRetryMs = 60_000

/** How long callers wait while another message is the probe. */
const probeRetryMs = 5_000

/** Longer than any message takes. After it, another probe is allowed if the object was restarted during the probe. */
const probeLeaseMs = 180_000

export class OutletState {
  readonly #storage: SyncKvStorage
  #state: StoredState
  /** Time of the next message at the current rate, and the time at which the rate was lowered last. */
  #nextAt = 0
  #slowedAt = 0

  constructor(storage: SyncKvStorage) {
    this.#storage = storage
    this.#state = storage.get<StoredState>('state') ?? initialState
  }

  view(now: number): OutletStateView {
    const { circuit, rate, isPaused, lastError } = this.#state
    return { circuit: viewCircuit(circuit, now), rate: rate.rate, isPaused, lastError }
  }

  /** Decides whether a message may be sent. A half-open circuit allows one message at a time, the probe. */
  admit(now: number): Admitted | Held {
    const { circuit, rate, isPaused } = this.#state
    if (isPaused) return { reason: 'paused', retryAfterMs: pausedRetryMs }
    const { state, retryAfterMs } = viewCircuit(circuit, now)
    if (retryAfterMs > 0)
      return { reason: 'circuit_open', retryAfterMs: state === 'open' ? retryAfterMs : probeRetryMs }
    const waitMs = rate.rate === null ? 0 : Math.max(0, this.#nextAt - now)
    if (waitMs > maxRateWaitMs) return { reason: 'throttled', retryAfterMs: waitMs }
    if (rate.rate !== null) this.#nextAt = now + waitMs + 1_000 / rate.rate
    const isProbe = state === 'half_open'
    if (isProbe) this.#save({ circuit: { ...circuit, probeUntil: now + probeLeaseMs } })
    return { waitMs, startedAt: now + waitMs, isProbe }
  }

  /** Records that the server accepted a message. */
  recordSuccess({ isProbe }: Admitted, now: number): void {
    this.#report(true, isProbe, now)
    const before = this.#state.rate
    const rate = spedUp(before)
    // The growing rate is only in memory, since storing it would cost a write per message. Its removal is stored.
    this.#state = { ...this.#state, rate }
    if (before.rate !== null && rate.rate === null) this.#save({ rate })
  }

  /** Records that a message failed. Rejections of the message itself show that the server works. */
  recordFailure({ isProbe, startedAt }: Admitted, failure: SmtpFailure, now: number): void {
    const verdict = verdictOf(failure)
    if (verdict === 'answered') {
      this.#report(true, isProbe, now)
      return
    }
    const { step, reason, reply } = failure
    const lastError = { at: now, step, reason, code: reply?.code ?? null, enhanced: reply?.enhanced ?? null }
    this.#state = { ...this.#state, lastError }
    // A probe that is throttled has reached the server, so its circuit closes.
    this.#report(verdict === 'throttled', isProbe, now)
    if (verdict === 'throttled' && startedAt >= this.#slowedAt) this.#slowDown(now)
  }

  /** Ends a probe that did not reach the server. */
  release({ isProbe }: Admitted): void {
    if (isProbe) this.#save({ circuit: { ...this.#state.circuit, probeUntil: 0 } })
  }

  setPaused(isPaused: boolean): void {
    this.#save({ isPaused })
  }

  /** Makes the next message of an open circuit the probe, now. */
  allowProbe(): void {
    const { circuit } = this.#state
    if (circuit.openMs > 0) this.#save({ circuit: { ...circuit, openUntil: 0 } })
  }

  #report(hasSuccess: boolean, isProbe: boolean, now: number): void {
    const before = this.#state.circuit
    if (hasSuccess && before.failures === 0) return
    const circuit = reportOutcome(before, { hasSuccess, failures: hasSuccess ? 0 : 1, isProbe }, now)
    if (circuit !== before) this.#save({ circuit })
  }

  /** Halves the rate. Messages that began before do not halve it again: they were throttled together. */
  #slowDown(now: number): void {
    const rate = slowedDown(this.#state.rate)
    this.#slowedAt = now
    this.#nextAt = now + 1_000 / rate.rate!
    this.#save({ rate })
  }

  #save(changes: Partial<StoredState>): void {
    this.#state = { ...this.#state, ...changes }
    this.#storage.put('state', this.#state)
  }
}
