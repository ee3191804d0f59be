import type { Channel } from '../contract.ts'

/** For how long each channel keeps the first reply to an idempotency key, in milliseconds. */
export type KeyRetention = Record<Channel, number>

/** For how long what a retry needs is kept, in milliseconds: recipients, and the idempotency keys of each channel. */
export interface Retention {
  recipientsMs: number
  keysMs: KeyRetention
}

/** A key is used up to this long after a message was claimed, in milliseconds. */
const keyMarginMs = 600_000

/** A channel still knows the keys that were first used after this time. */
export const keysKnownSince = (keysMs: KeyRetention, channel: Channel, now: number): number =>
  Math.max(0, now - keysMs[channel] + keyMarginMs)
