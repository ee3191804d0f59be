// Issues tokens: for browsers and apps on behalf of a key, and for calls between components.
import type { ServiceToken } from '#core/access/access-service'
import { type Bounds, type Credential, rootId } from '#core/access/credential'
import { missingScopes } from '#core/access/scopes'
import { maxTokenLength, signToken } from '#core/access/tokens'
import { invalid } from '#core/failure'
import type { NewKey, NewToken } from './contract.ts'
import { failure } from './errors.ts'
import { findKey } from './keys.ts'
import type { AccessStore } from './schema.ts'
import { currentSigningKey } from './signing-keys.ts'

/** Throws 403 `wider_than_caller` if scopes or bounds would allow more than the caller may do; returns the narrowed bounds. */
export function narrowedBounds(caller: Credential, { scopes, bounds }: { scopes: string[]; bounds: Bounds }): Bounds {
  const [lacking] = missingScopes(caller.scopes, scopes)
  if (lacking) throw failure('wider_than_caller', `The caller lacks the scope ${lacking}, so it may not pass it on.`)
  const other = Object.entries(caller.bounds).find(([name, value]) => (bounds[name] ?? value) !== value)
  if (other) throw failure('wider_than_caller', `The caller is bound to another value of ${other[0]}.`)
  return { ...bounds, ...caller.bounds }
}

/** Throws 403 `wider_than_caller` if a new key would outlive the key of the caller, or have more requests per minute. */
export async function checkLimits(store: AccessStore, caller: Credential, created: NewKey): Promise<void> {
  const own = caller.kind === 'key' || caller.kind === 'token' ? await findKey(store, caller.id!) : undefined
  const { expires = Number.POSITIVE_INFINITY, requestsPerMinute = Number.POSITIVE_INFINITY } = own ?? {}
  if ((created.expires_at?.getTime() ?? Number.POSITIVE_INFINITY) > expires)
    throw failure('wider_than_caller', 'The key of the caller expires, so the new key must expire no later.')
  if ((created.requests_per_minute ?? Number.POSITIVE_INFINITY) > requestsPerMinute)
    throw failure('wider_than_caller', `The key of the caller allows ${requestsPerMinute} requests per minute at most.`)
}

/** Issues a token that allows no more than the caller may do. */
export async function issueToken(store: AccessStore, caller: Credential, request: NewToken, now: Date) {
  if (caller.kind !== 'key' && caller.kind !== 'root' && caller.kind !== 'none')
    throw failure('forbidden', 'A token issues no other tokens: send a key.')
  const { scopes = [...caller.scopes], origins } = request
  const bounds = narrowedBounds(caller, { ...request, scopes })
  const key = caller.kind === 'key' ? await findKey(store, caller.id!) : undefined
  // Another isolate has deleted the key, and this one has it cached.
  if (caller.kind === 'key' && !key) throw failure('unauthorized')
  const left = key?.expires === undefined ? request.lifetime : Math.floor((key.expires - now.getTime()) / 1_000)
  if (left <= 0) throw invalid('lifetime', 'The key expires now, so it issues no tokens.')
  const { requestsPerMinute } = caller
  const signed = await signToken(
    {
      kind: 'token',
      sub: caller.id ?? rootId,
      scopes,
      bounds: { ...bounds },
      ...(origins && { origins }),
      ...(requestsPerMinute && { rpm: requestsPerMinute }),
    },
    Math.min(request.lifetime, left),
    await currentSigningKey(store, now),
    now,
  )
  if (signed.token.length > maxTokenLength)
    throw invalid(
      'origins',
      `Scopes, bounds and origins are too long: a token has at most ${maxTokenLength} characters`,
    )
  return signed
}

const serviceLifetimeS = 600

/** Issues a token with which a component calls another one. */
export async function issueServiceToken(
  store: AccessStore,
  caller: string,
  target: string,
  now: Date,
): Promise<ServiceToken> {
  const claims = { kind: 'service' as const, sub: caller, scopes: [`${target}:write`] }
  const { token, expires_at } = await signToken(claims, serviceLifetimeS, await currentSigningKey(store, now), now)
  return { token, expires: expires_at.getTime() }
}
