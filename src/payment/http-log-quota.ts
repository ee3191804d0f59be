import { DurableObject } from 'cloudflare:workers'

const hour = 3_600_000

interface Used {
  hour: number
  /** Requests, or whatever else the object counts. */
  requests: number
}

/** How much of unauthenticated requests the log keeps in an hour: one object for each kind of them. */
export class LogQuota extends DurableObject {
  /**
   * Takes a request, or that many characters, from this hour's quota. `nth` is how much the hour has had with it; nothing if
   * that would be more than `most`. The next hour begins at `until`, in milliseconds since 1970.
   */
  take(most: number, amount = 1): { nth?: number; until: number } {
    const now = Math.floor(Date.now() / hour)
    const until = (now + 1) * hour
    const kept = this.ctx.storage.kv.get<Used>('used')
    const nth = (kept?.hour === now ? kept.requests : 0) + amount
    if (nth > most) return { until }
    this.ctx.storage.kv.put('used', { hour: now, requests: nth } satisfies Used)
    return { nth, until }
  }
}
