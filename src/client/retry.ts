import { table } from './api/index.ts'
import { NoReplyError, QuartermasterError } from './errors.ts'

// Decides for the API client which calls are retried, and when.

/**
 * Whether a retry does no harm even if the first request had an effect: the method is safe, or the API detects repeated
 * requests of the operation.
 */
export function isSafeToRetry(operation: string, params: object): boolean {
  const name = table.uuids[operation]
  if (name) return (params as Record<string, unknown>)[name] !== undefined
  if (table.once.includes(operation)) return false
  return /^(GET|HEAD|PUT|DELETE) /.test(operation) || [...table.keyed, ...table.harmless].includes(operation)
}

/**
 * Whether a retry is allowed and can succeed after this error. `isSafe` says that a retry does no harm if the first
 * request had an effect.
 */
export function isRetryable(error: unknown, isSafe: boolean): boolean {
  if (error instanceof NoReplyError) return isSafe && error.reason === 'network'
  if (!(error instanceof QuartermasterError)) return false
  const { status, code, retryAfter } = error
  if (status === 429) return true
  // The first request with this idempotency key is still running. A retry later gets the reply of that request.
  if (isRunning(error)) return true
  // The API has stored this error as the reply to the idempotency key, so a retry would get it again.
  if (code.endsWith('outcome_unknown')) return false
  if (status === 503) return isSafe || retryAfter !== undefined
  return isSafe && (status === 502 || status === 504)
}

/**
 * Whether the error says that the first request with this idempotency key is still running. Waiting for that reply does
 * not count as a retry.
 */
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
  // A random part is added, so that clients that were refused at the same time do not retry at the same time.
  const delay = retryAfter * 1000 + random * baseDelayMs
  return retryAfter * 1000 > maxRetryAfterMs ? undefined : delay
}
