import { table } from './api/index.ts'
import { NoReplyError, QuartermasterError } from './errors.ts'

/** Whether a repeat can do no harm, even where the first request took effect. */
export function isHarmless(operation: string, params: object): boolean {
  const name = table.uuids[operation]
  if (name) return (params as Record<string, unknown>)[name] !== undefined
  if (table.once.includes(operation)) return false
  return /^(GET|HEAD|PUT|DELETE) /.test(operation) || [...table.keyed, ...table.harmless].includes(operation)
}

/** Whether the same request is worth sending again after it failed so. */
export function isWorthIt(error: unknown, harmless: boolean): boolean {
  if (error instanceof NoReplyError) return harmless && error.reason === 'network'
  if (!(error instanceof QuartermasterError)) return false
  const { status, code, retryAfter } = error
  if (status === 429) return true
  // Its first request runs on, and the reply to that is what is wanted.
  if (isRunning(error)) return true
  // The API repeats what it has kept: it does not know more later.
  if (code.endsWith('outcome_unknown')) return false
  if (status === 503) return harmless || retryAfter !== undefined
  return harmless && (status === 502 || status === 504)
}

/** Whether the first request with this idempotency key still runs; waiting for it is no repeat. */
export const isRunning = (error: unknown) =>
  error instanceof QuartermasterError &&
  error.status === 409 &&
  error.code === 'idempotency_key_in_use' &&
  error.retryAfter !== undefined

/** In milliseconds. */
const first = 250
const longest = 10_000
const longestAsked = 30_000

/** Milliseconds before the repeat after so many attempts: what the reply asks for, else growing and at random; none: too long. */
export function pauseAfter(error: unknown, attempts: number): number | undefined {
  const random = Math.random()
  const asked = error instanceof QuartermasterError && error.retryAfter
  if (typeof asked !== 'number') return random * Math.min(longest, first * 2 ** attempts)
  // Those who were refused together do not come back together.
  const pause = asked * 1000 + random * first
  return asked * 1000 > longestAsked ? undefined : pause
}
