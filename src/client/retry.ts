import { table } from './api/index.ts'
import { NoReplyError, QuartermasterError } from './errors.ts'

// Decides which calls are retried, and when.

/** Whether a retry is safe even if the first request had an effect. */
export function isSafeToRetry(operation: string, params: object): boolean {
  const name = table.uuids[operation]
  if (name) return (params as Record<string, unknown>)[name] !== undefined
  if (table.once.includes(operation)) return false
  return /^(GET|HEAD|PUT|DELETE) /.test(operation) || [...table.keyed, ...table.harmless].includes(operation)
}

/** Whether a retry can succeed after this error. `isSafe`: the request may have had an effect, and a retry is safe. */
export function isRetryable(error: unknown, isSafe: boolean): boolean {
  if (error instanceof NoReplyError) return isSafe && error.reason === 'network'
  if (!(error instanceof QuartermasterError)) return false
  const { status, code, retryAfter } = error
  if (status === 429) return true
  // The first request is still running: a retry gets its reply.
  if (isRunning(error)) return true
  // The API has stored this error: a retry gets the same one.
  if (code.endsWith('outcome_unknown')) return false
  if (status === 503) return isSafe || retryAfter !== undefined
  return isSafe && (status === 502 || status === 504)
}

/** Whether the first request with this idempotency key is still running. Waiting for it does not count as a retry. */
export const isRunning = (error: unknown) =>
  error instanceof QuartermasterError &&
  error.status === 409 &&
  error.code === 'idempotency_key_in_use' &&
  error.retryAfter !== undefined

const baseDelayMs = 250
const maxDelayMs = 10_000
const maxRetryAfterMs = 30_000

/**
 * Milliseconds before the next attempt: `Retry-After` if the reply has one, else exponential backoff with full jitter. `undefined`
 * if the API asks for more than 30 seconds.
 */
export function retryDelayMs(error: unknown, attempts: number): number | undefined {
  const random = Math.random()
  const retryAfter = error instanceof QuartermasterError && error.retryAfter
  if (typeof retryAfter !== 'number') return random * Math.min(maxDelayMs, baseDelayMs * 2 ** attempts)
  // Jitter, so that clients refused at the same time do not retry at the same time.
  const delay = retryAfter * 1000 + random * baseDelayMs
  return retryAfter * 1000 > maxRetryAfterMs ? undefined : delay
}
