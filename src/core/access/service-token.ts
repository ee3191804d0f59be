// Makes the `Authorization` header for calls to other components: a token of `access` for the called component, cached until
// shortly before it expires. Without `access`, the credentials of the deployment: the first of `AUTH_TOKENS`, else HTTP Basic.
import { describe, log } from '#core/http/log'
import { memoizeWeak } from '#core/memoize'
import { type AccessService, accessServiceOf, inTime, type ServiceToken } from './access-service.ts'
import type { CredentialsEnv } from './authenticate.ts'
import { rootHeaderOf } from './root-secrets.ts'

/** A cached token is replaced this long before it expires. */
const reserveMs = 120_000

/** While `access` does not answer, a cached token is used until this long before it expires, so that it is valid when it arrives. */
const minReserveMs = 30_000

/** After a failed call, `access` is not called for this long. */
const pauseMs = 2_000

interface Cache {
  /** Tokens by the component that they are for. */
  tokens: Map<string, ServiceToken>
  /** Unix time in milliseconds until which `access` is not called. */
  pausedUntil: number
}

const cacheOf = memoizeWeak((_: AccessService): Cache => ({ tokens: new Map(), pausedUntil: 0 }))

let ownName = 'unknown'

/** Sets the name under which this Worker calls other components: that of its API. */
export function setOwnName(name: string): void {
  ownName = name
}

/**
 * The `Authorization` header for a call to another component of this deployment, also if this component is open: the other one may have
 * `AUTH_TOKENS`. Without `access`, and while it does not answer, it has the first of this component's `AUTH_TOKENS`, if any.
 */
export async function serviceHeader(env: CredentialsEnv, target: string): Promise<string | undefined> {
  const service = accessServiceOf(env)
  if (!service) return rootHeaderOf(env)
  const token = await tokenFor(service, target)
  return token === undefined ? rootHeaderOf(env) : `Bearer ${token}`
}

/** A token for a component. `undefined` if `access` issues none, and no known token is valid long enough. */
async function tokenFor(service: AccessService, target: string): Promise<string | undefined> {
  const cache = cacheOf(service)
  const known = cache.tokens.get(target)
  const now = Date.now()
  if (known && known.expires - reserveMs > now) return known.token
  const last = known && known.expires - minReserveMs > now ? known.token : undefined
  if (now < cache.pausedUntil) return last
  try {
    const issued = await inTime(service.issueServiceToken(ownName, target))
    cache.tokens.set(target, issued)
    return issued.token
  } catch (error) {
    cache.pausedUntil = Date.now() + pauseMs
    log('error', { component: ownName, route: 'service token', ...describe(error) })
    return last
  }
}
