// Adaptive rate of messages to a server or provider that throttles, similar to TCP congestion control (RFC 5681).

/** Rates in messages per second. */
export interface AdaptiveRate {
  /** Null for no limit: the outlet has not throttled. */
  rate: number | null
  /** The rate at which the outlet throttled. */
  ceiling: number | null
}

/**
 * When an outlet throttles, its rate is multiplied by `decrease`. Each accepted message multiplies it by `fast`, and by `slow`
 * above the share `slowFrom` of the rate at which the outlet throttled.
 */
const pacing = { first: 4, floor: 0.05, unlimited: 1_000, decrease: 0.5, fast: 1.05, slow: 1.001, slowFrom: 0.8 }

/** The rate after the outlet has throttled a message. */
export const slowedDown = ({ rate }: AdaptiveRate): AdaptiveRate =>
  rate === null
    ? { rate: pacing.first, ceiling: null }
    : { rate: Math.max(pacing.floor, rate * pacing.decrease), ceiling: rate }

/** The rate after the outlet has accepted a message. */
export function spedUp({ rate, ceiling }: AdaptiveRate): AdaptiveRate {
  if (rate === null) return { rate, ceiling }
  const isSlow = ceiling !== null && rate >= ceiling * pacing.slowFrom
  const next = rate * (isSlow ? pacing.slow : pacing.fast)
  return next >= pacing.unlimited ? { rate: null, ceiling: null } : { rate: next, ceiling }
}
