// Timing of circuit breakers: when a destination that fails is probed again.

/** Adds up to a fifth at random, so that calls that failed together are not retried together. */
export const withJitter = (delayMs: number, random: number = Math.random()) => Math.round(delayMs * (1 + random / 5))

/**
 * Milliseconds from the latest of several consecutive failures to the next probe. `delaysMs` has the delay after the first failure,
 * after the second one and so on; the last one repeats.
 */
export const probeDelayMs = (delaysMs: readonly number[], failures: number): number =>
  delaysMs[Math.min(failures, delaysMs.length) - 1]!
