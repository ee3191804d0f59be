// Retry delay of a failed task: exponential backoff with jitter.

const maxBackoffMs = 3_600_000

/**
 * Milliseconds until the next attempt after `tries` failed ones. The delay doubles with each
 * attempt, up to an hour or `initialMs` if that is longer. A random half of it is subtracted, so that tasks that failed together
 * are not retried together.
 */
export function backoff(initialMs: number, tries: number, random: number = Math.random()): number {
  const fullMs = Math.min(initialMs * 2 ** Math.min(tries - 1, 30), Math.max(maxBackoffMs, initialMs))
  return Math.round(fullMs / 2 + (fullMs / 2) * random)
}
