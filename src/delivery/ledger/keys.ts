// How long each channel remembers idempotency keys. A message whose outcome is unknown may be retried only during that time.
import type { Channel } from '../contract.ts'

/** Retention of idempotency keys per channel, in milliseconds. */
export type KeyRetention = Record<Channel, number>

/** Retention of the data that a retry needs, in milliseconds. */
export interface Retention {
  recipientsMs: number
  keysMs: KeyRetention
}

/** A key may be used until this time after the claim. */
const keyMarginMs = 600_000

/** Keys first used after this time are still known to the channel. */
export const keysKnownSince = (keysMs: KeyRetention, channel: Channel, now: number): number =>
  Math.max(0, now - keysMs[channel] + keyMarginMs)
