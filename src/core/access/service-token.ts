// Tokens with which components call each other. They last for minutes, and are no token of a user.
import { describe, log } from '#core/http/log'
import { type AccessService, accessServiceOf, type ServiceToken } from './access-service.ts'
import type { CredentialsEnv } from './authenticate.ts'
import { hasRootSecrets, rootHeaderOf } from './root-secrets.ts'

/** A cached token is used until this long before it expires, so that it is still valid when the call arrives. */
const reserveMs = 120_000

const caches = new WeakMap<AccessService, Map<string, ServiceToken>>()

let ownName = 'unknown'

/** Sets the name under which this Worker calls other components: that of its API. */
export function setOwnName(name: string): void {
  ownName = name
}

/**
 * The `Authorization` header for a call to another component of this deployment. `undefined` if the deployment is open. Without
 * `access`, and while it does not answer, it has the first of `AUTH_TOKENS`.
 */
export async function serviceHeader(env: CredentialsEnv, target: string): Promise<string | undefined> {
  const service = accessServiceOf(env)
  if (!hasRootSecrets(env) || !service) return rootHeaderOf(env)
  try {
    return `Bearer ${await tokenFor(service, target)}`
  } catch (error) {
    log('error', { component: ownName, route: 'service token', ...describe(error) })
    return rootHeaderOf(env)
  }
}

async function tokenFor(service: AccessService, target: string): Promise<string> {
  const tokens = caches.get(service) ?? new Map<string, ServiceToken>()
  caches.set(service, tokens)
  const known = tokens.get(target)
  if (known && known.expires - reserveMs > Date.now()) return known.token
  const issued = await service.issueServiceToken(ownName, target)
  tokens.set(target, issued)
  return issued.token
}
