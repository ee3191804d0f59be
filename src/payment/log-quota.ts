import { DurableObject } from 'cloudflare:workers'

const hour = 3_600_000

/** Requests of strangers that are kept in an hour: a month of them does not fill a database. */
export const perHour = 500

interface Used {
  hour: number
  requests: number
}

/** How many requests of strangers the log keeps: one object for all. */
export class LogQuota extends DurableObject {
  /** Whether another one may be kept; if not, when one may again, in milliseconds since 1970. */
  take(): { isFree: boolean; until: number } {
    const now = Math.floor(Date.now() / hour)
    const kept = this.ctx.storage.kv.get<Used>('used')
    const requests = kept?.hour === now ? kept.requests : 0
    const isFree = requests < perHour
    if (isFree) this.ctx.storage.kv.put('used', { hour: now, requests: requests + 1 } satisfies Used)
    return { isFree, until: (now + 1) * hour }
  }
}
