import { notConfigured } from '#core/failure'

const dayMs = 86_400_000

/** For how long the first reply to an idempotency key is kept unless an endpoint says otherwise. */
export const defaultRetentionMs = dayMs

const maxDays = 30

/** Where bulk deliveries can be retried for more than a day. */
export interface RetryEnv {
  /** Days for which what a retry of a delivery needs is kept; 7 unless given. */
  DELIVERY_RETRY_DAYS?: string
}

/** For how long a finished delivery can be retried, in milliseconds; 503 for a variable that cannot be read. */
export function retryDaysMs({ DELIVERY_RETRY_DAYS }: RetryEnv): number {
  const text = DELIVERY_RETRY_DAYS || '7'
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (days <= maxDays) return days * dayMs
  throw notConfigured(`DELIVERY_RETRY_DAYS must be a whole number, at most ${maxDays}`)
}

/** For how long a channel of deliveries keeps the first reply to an idempotency key: never less than others. */
export const retryKeysMs = (env: RetryEnv): number => Math.max(defaultRetentionMs, retryDaysMs(env))
