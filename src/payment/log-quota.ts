import { DurableObject } from 'cloudflare:workers'

const hour = 3_600_000

interface Used {
  hour: number
  requests: number
}

/** How many requests of strangers the log keeps: one object for all. */
export class LogQuota extends DurableObject {
  /**
   * Which one of this hour another request is, the first being 1; nothing where the hour has had `most` of them. The next
   * hour begins at `until`, in milliseconds since 1970.
   */
  take(most: number): { nth?: number; until: number } {
    const now = Math.floor(Date.now() / hour)
    const until = (now + 1) * hour
    const kept = this.ctx.storage.kv.get<Used>('used')
    const nth = (kept?.hour === now ? kept.requests : 0) + 1
    if (nth > most) return { until }
    this.ctx.storage.kv.put('used', { hour: now, requests: nth } satisfies Used)
    return { nth, until }
  }
}
