// Limits the requests of a key per minute. One object counts them; each isolate takes a tenth of the limit at a time from it.
import { failure } from '#core/failure'
import { describe, log } from '#core/http/log'
import { LruCache } from '#core/lru-cache'
import { memoizeWeak } from '#core/memoize'
import { type AccessService, inTime } from './access-service.ts'
import type { Credential } from './credential.ts'

/** Number of parts of the limit: an isolate takes one at a time, since the rest of its part is lost with it. */
const shares = 10

const maxKeys = 1_000

/** After a failed call, `access` is not called for this long. */
const pauseMs = 2_000

/** A request takes a share again if concurrent ones have used up that which it took. */
const maxAttempts = 3

/** Requests of a key that this isolate may still admit. */
interface Allowance {
  left: number
  /** Unix time in milliseconds at which the next minute begins. */
  until: number
  /** The limit of this minute is used up, so that the object has no more. */
  isLast: boolean
}

/** The allowances of keys by their ids. */
const allowancesOf = memoizeWeak((_: AccessService) => new LruCache<Allowance>(maxKeys))

/**
 * Counts a request of a credential. Throws 429 `rate_limit` if the limit of its key is reached. While `access` does not answer,
 * requests are not counted.
 */
export async function countRequest(
  service: AccessService | undefined,
  { id, requestsPerMinute: perMinute }: Credential,
  now: number,
): Promise<void> {
  if (!service || id === undefined || perMinute === undefined) return
  const ofKeys = allowancesOf(service)
  let until = now
  for (let attempt = 0; attempt <= maxAttempts; attempt++) {
    const known = ofKeys.get(id)
    // The clock of the object decides when the minute ends: its reply to this request is valid.
    if (known && (known.until > now || attempt > 0)) {
      if (known.left > 0) {
        known.left--
        return
      }
      until = known.until
      if (known.isLast) break
    }
    if (attempt < maxAttempts) await takeShare(service, ofKeys, { id, perMinute }, now)
  }
  throw failure('rate_limit', `The key allows ${perMinute} requests per minute, and all of this minute are used.`, {
    retryAfter: Math.max(1, (until - now) / 1_000),
  })
}

/** Takes a share of the limit from the object. Concurrent requests each take one: they are added up, and none is lost. */
async function takeShare(
  service: AccessService,
  ofKeys: LruCache<Allowance>,
  { id, perMinute }: { id: string; perMinute: number },
  now: number,
): Promise<void> {
  const share = Math.ceil(perMinute / shares)
  try {
    const { granted, until } = await inTime(service.takeRequests(id, perMinute, share))
    const known = ofKeys.get(id)
    const current = known?.until === until ? known : { left: 0, until, isLast: false }
    current.left += granted
    current.isLast ||= granted < share
    ofKeys.set(id, current)
  } catch (error) {
    log('error', { component: 'credentials', route: 'rate limit', ...describe(error) })
    ofKeys.set(id, { left: Number.POSITIVE_INFINITY, until: now + pauseMs, isLast: false })
  }
}
