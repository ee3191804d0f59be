// How long components store the replies to idempotency keys. Channels of bulk deliveries store them for as long as a
// delivery can be retried, so that no message is sent twice.
import { notConfigured } from '#core/failure'

const dayMs = 86_400_000

/** Default time for which the reply to an idempotency key is stored. */
export const defaultRetentionMs = dayMs

const maxDays = 30

/** Variables of components that take part in bulk deliveries. */
export interface RetryEnv {
  /** Days for which a finished delivery can be retried, 0 to 30. Default: 7. */
  DELIVERY_RETRY_DAYS?: string
}

/** How long a finished delivery can be retried, in milliseconds. Throws 503 if the variable is invalid. */
export function retryDaysMs({ DELIVERY_RETRY_DAYS }: RetryEnv): number {
  const text = DELIVERY_RETRY_DAYS || '7'
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (days <= maxDays) return days * dayMs
  throw notConfigured(`DELIVERY_RETRY_DAYS must be a whole number between 0 and ${maxDays}.`)
}

/**
 * How long a channel of deliveries stores replies to idempotency keys, in milliseconds: as long as a delivery can be
 * retried, and at least a day.
 */
export const retryKeysMs = (env: RetryEnv): number => Math.max(defaultRetentionMs, retryDaysMs(env))
