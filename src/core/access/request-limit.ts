// Limits the requests of a key per minute. One object counts them; each isolate takes a tenth of the limit at a time from it.
import { failure } from '#core/failure'
import type { AccessService, Allowance } from './access-service.ts'
import type { Credential } from './credential.ts'

/** The part of the limit that an isolate takes at a time: a larger one would be lost with the isolate. */
const shares = 10

const maxKeys = 1_000

/** Requests that this isolate may still admit, by the key's id. */
const allowances = new WeakMap<AccessService, Map<string, Allowance>>()

/** Counts a request of a credential. Throws 429 `rate_limit` if the limit of its key is reached. */
export async function countRequest(
  service: AccessService | undefined,
  { id, requestsPerMinute }: Credential,
  now: number,
): Promise<void> {
  if (!service || id === undefined || requestsPerMinute === undefined) return
  const ofKeys = allowances.get(service) ?? new Map<string, Allowance>()
  allowances.set(service, ofKeys)
  let allowance = ofKeys.get(id)
  if (!allowance || allowance.granted === 0 || allowance.until <= now) {
    allowance = await service.takeRequests(id, requestsPerMinute, Math.ceil(requestsPerMinute / shares))
    if (ofKeys.size >= maxKeys) ofKeys.clear()
    ofKeys.set(id, allowance)
  }
  if (allowance.granted === 0) throw limitReached(requestsPerMinute, allowance.until - now)
  allowance.granted--
}

const limitReached = (perMinute: number, waitMs: number) =>
  failure('rate_limit', `The key allows ${perMinute} requests per minute, and all of this minute are used.`, {
    retryAfter: waitMs / 1_000,
  })
