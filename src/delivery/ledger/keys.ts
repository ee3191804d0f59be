// How long each channel keeps idempotency keys. A message with an unknown outcome can be retried safely only while its channel
// still has the key.
import type { Channel } from '../contract.ts'

/** Retention of idempotency keys per channel, in milliseconds. */
export type KeyRetention = Record<Channel, number>

/** How long the data is kept that a retry needs, in milliseconds. */
export interface Retention {
  recipientsMs: number
  keysMs: KeyRetention
}

/**
 * Safety margin: a retry counts a key as deleted this much earlier, because the message may be sent some time after its claim.
 */
const keyMarginMs = 600_000

/** The channel still has the keys that were first used after this time. */
export const keysKnownSince = (keysMs: KeyRetention, channel: Channel, now: number): number =>
  Math.max(0, now - keysMs[channel] + keyMarginMs)
