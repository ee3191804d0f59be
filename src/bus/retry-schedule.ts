// Retry schedule for the delivery of async documents.

const delaysMs = [10_000, 60_000, 300_000, 900_000, 3_600_000]

/** Retries end after 75 hours. */
export const retryPeriodMs = 75 * 3_600_000

/**
 * Milliseconds from the end of the n-th attempt to the next: 10 seconds, 1, 5 and 15 minutes, 1 hour, then hourly. Undefined
 * after the last attempt.
 */
export function retryDelayMs(attempts: number): number | undefined {
  const delayOf = (n: number) => delaysMs[Math.min(n, delaysMs.length) - 1]!
  const pastMs = Array.from({ length: attempts }, (_, n) => delayOf(n + 1)).reduce((a, b) => a + b, 0)
  return pastMs > retryPeriodMs ? undefined : delayOf(attempts)
}

/** Milliseconds from a rejection (4xx) to the next attempt, for a collection with `retry_rejected`. */
export const rejectedRetryMs = 3_600_000

/** Attempts after which a rejection is final: the first one, and hourly ones for 75 hours. */
export const maxRejectedAttempts = 1 + retryPeriodMs / rejectedRetryMs
