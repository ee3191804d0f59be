// Durable object that counts the requests of one key.
import { DurableObject } from 'cloudflare:workers'
import type { Allowance } from '#core/access/access-service'

const minuteMs = 60_000

interface Count {
  /** Number of the minute since 1970. */
  minute: number
  /** Requests of this minute that isolates have taken. */
  taken: number
}

/**
 * Divides the requests of a minute among the isolates that ask. The count is stored, since the platform evicts an idle object
 * after seconds; an isolate takes a tenth at a time, so that a minute has few writes. The storage is deleted after the minute.
 */
export class KeyLimiter extends DurableObject<unknown> {
  #count: Count | undefined

  /** Takes up to `wanted` of the `perMinute` requests of the current minute. */
  take(perMinute: number, wanted: number, now = Date.now()): Allowance {
    const minute = Math.floor(now / minuteMs)
    const stored = this.#count ?? this.ctx.storage.kv.get<Count>('count')
    const taken = stored?.minute === minute ? stored.taken : 0
    const granted = Math.max(0, Math.min(wanted, perMinute - taken))
    this.#count = { minute, taken: taken + granted }
    if (granted > 0) this.ctx.storage.kv.put('count', this.#count)
    if (stored?.minute !== minute) void this.ctx.storage.setAlarm((minute + 2) * minuteMs)
    return { granted, until: (minute + 1) * minuteMs }
  }

  /** Deletes the storage after its minute, so that keys that are not used cost nothing. */
  override async alarm(): Promise<void> {
    this.#count = undefined
    await this.ctx.storage.deleteAll()
  }
}
