// Rate limits by client address, for endpoints that need no credentials. The platform counts the requests; the limits are in
// `wrangler.toml`.
import { failure } from '#core/failure'
import { ipKeyOf } from './ip-key.ts'

/** The binding and the variable of address limits. */
export interface AddressLimitEnv {
  /** The platform's rate limit. Its limit and its period are in `wrangler.toml`. */
  RATE_LIMIT?: RateLimit
  /** `true` where `npm start` runs the component: nothing is limited. */
  LOCAL?: string
}

/** The period of every `[[ratelimits]]` binding, in seconds. */
export const limitPeriodSeconds = 60

const tooMany = 'This address has sent too many requests in a minute.'

/**
 * Counts a request of a client address, and throws 429 `rate_limit` above the limit of `RATE_LIMIT`. An IPv6 address counts by
 * its /64 network. A request without `cf-connecting-ip` is a call of another Worker through a binding, and is not counted.
 */
export async function checkAddressLimit({ RATE_LIMIT, LOCAL }: AddressLimitEnv, { headers }: Request): Promise<void> {
  const address = headers.get('cf-connecting-ip')
  if (!RATE_LIMIT || LOCAL === 'true' || address === null) return
  const { success } = await RATE_LIMIT.limit({ key: ipKeyOf(address) ?? 'unknown' })
  if (!success) throw failure('rate_limit', tooMany, { retryAfter: limitPeriodSeconds })
}
