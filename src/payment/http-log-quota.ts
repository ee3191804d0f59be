// Durable object with the hourly quota of log entries for unauthenticated requests.
import { DurableObject } from 'cloudflare:workers'

const hourMs = 3_600_000

/** The stored usage. Its keys keep their names, since older versions read them. */
interface Usage {
  /** Hours since 1970. */
  hour: number
  /** Used requests. In the object for notifications with a wrong HMAC, used characters. */
  requests: number
}

/** An hourly quota. One object for notifications with a wrong HMAC, and one for all other unauthenticated requests. */
export class LogQuota extends DurableObject {
  /**
   * Takes `amount` requests or characters from this hour's quota of `max`. `nth` is the usage including them; undefined if the
   * quota is exhausted. The quota is renewed at `until`, in milliseconds since 1970.
   */
  take(max: number, amount = 1): { nth?: number; until: number } {
    const now = Math.floor(Date.now() / hourMs)
    const until = (now + 1) * hourMs
    const stored = this.ctx.storage.kv.get<Usage>('used')
    const nth = (stored?.hour === now ? stored.requests : 0) + amount
    if (nth > max) return { until }
    this.ctx.storage.kv.put('used', { hour: now, requests: nth } satisfies Usage)
    return { nth, until }
  }
}
