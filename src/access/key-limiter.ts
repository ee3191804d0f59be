// Durable object that counts the requests of one key.
import { DurableObject } from 'cloudflare:workers'
import type { Allowance } from '#core/access/access-service'

const minuteMs = 60_000

/**
 * Divides the requests of a minute among the isolates that ask. The count is in memory only: after a crash the minute begins
 * again, which is cheaper than a write for each share.
 */
export class KeyLimiter extends DurableObject<unknown> {
  private minute = 0
  private taken = 0

  /** Takes up to `wanted` of the `perMinute` requests of the current minute. */
  take(perMinute: number, wanted: number): Allowance {
    const minute = Math.floor(Date.now() / minuteMs)
    if (minute !== this.minute) {
      this.minute = minute
      this.taken = 0
    }
    const granted = Math.max(0, Math.min(wanted, perMinute - this.taken))
    this.taken += granted
    return { granted, until: (minute + 1) * minuteMs }
  }
}
