// Finds out what the credentials of a request allow: a root token, HTTP Basic, a key, or a token.
import { waitUntil } from 'cloudflare:workers'
import { Failure, failure, notConfigured } from '#core/failure'
import { describe, log } from '#core/http/log'
import { memoizeWeak } from '#core/memoize'
import { type AccessBinding, type AccessService, accessServiceOf, inTime, type StoredKey } from './access-service.ts'
import { type Credential, unlimited } from './credential.ts'
import { hashSecret, isGenuineId, type KeyParts, parseKey } from './key-format.ts'
import { hasRootSecrets, isRootHeader, type RootSecrets } from './root-secrets.ts'
import { isTokenLike, verifyToken } from './tokens.ts'
import { keyOf, trustOf } from './trust-cache.ts'

/** The variables and bindings that decide who may call a component. */
export interface CredentialsEnv extends RootSecrets, AccessBinding {
  /** `true`: calls need no credentials. */
  OPEN?: string
  /** `true` where `npm start` runs the component. */
  LOCAL?: string
}

/**
 * The credential of a request, by its `Authorization` header or a token from the query. Throws 401 if the credentials are wrong,
 * also if the deployment is open, and if they are missing. Without any configured credentials, every request without credentials
 * passes on a local start or with `OPEN=true`; else it throws 503.
 */
export async function authenticate(
  env: CredentialsEnv,
  request: Request,
  now = new Date(),
  queryToken?: string,
): Promise<Credential> {
  const header = request.headers.get('authorization') ?? (queryToken ? `Bearer ${queryToken}` : null)
  if (header === null) return credentialOfNone(env)
  // URLs are stored in logs and histories, so that only short-lived tokens may be in them, and no keys.
  if (!request.headers.has('authorization') && !isTokenLike(queryToken!)) throw failure('unauthorized')
  if (await isRootHeader(env, header)) return unlimited('root')
  const [, bearer] = /^bearer +(\S+)$/i.exec(header) ?? []
  const service = accessServiceOf(env)
  const credential = bearer && service && (await credentialOf(service, bearer, now))
  if (!credential) throw failure('unauthorized')
  return credential
}

function credentialOfNone(env: CredentialsEnv): Credential {
  if (hasRootSecrets(env)) throw failure('unauthorized', 'The credentials are missing.')
  if (env.OPEN === 'true' || env.LOCAL === 'true') return unlimited('none')
  throw notConfigured('Set AUTH_TOKENS, or HTTP_AUTH_USERNAME and HTTP_AUTH_PASSWORD, or OPEN=true.')
}

async function credentialOf(service: AccessService, bearer: string, now: Date): Promise<Credential | undefined> {
  const key = parseKey(bearer)
  if (!key && !isTokenLike(bearer)) return undefined
  try {
    return key ? await credentialOfKey(service, key, now) : await credentialOfToken(service, bearer, now)
  } catch (cause) {
    if (Failure.is(cause)) throw cause
    throw failure('unavailable', 'The access component does not answer, so the credentials cannot be checked.', {
      retryAfter: 5,
      cause,
    })
  }
}

/**
 * A token may be signed with a new key pair, and a secret may be new after a rotation: the cached value is then read again, at most once
 * a second.
 */
const minTrustAgeMs = 1_000

async function credentialOfKey(service: AccessService, parts: KeyParts, now: Date): Promise<Credential | undefined> {
  const { idSecret } = await trustOf(service)
  if (!isGenuineId(parts.id, idSecret)) return undefined
  const secretHash = await hashSecret(parts.secret)
  const keyWith = async (maxAge?: number) => {
    const key = await keyOf(service, parts.id, maxAge)
    return key && isValidHash(key, secretHash, now.getTime()) ? key : undefined
  }
  // The secret may be newer than the cached key, after a rotation.
  const key = (await keyWith()) ?? (await keyWith(minTrustAgeMs))
  if (!key) return undefined
  const { id, scopes, bounds, requestsPerMinute, expires } = key
  if (expires !== undefined && expires <= now.getTime()) return undefined
  markUsed(service, id, now)
  const limits = { ...(requestsPerMinute && { requestsPerMinute }), ...(expires !== undefined && { expires }) }
  return { kind: 'key', id, scopes, bounds, secretHash, ...limits }
}

/** Whether a hash is that of a valid secret of a key, compared in constant time. */
export function isValidHash(key: StoredKey, secretHash: string, now: number): boolean {
  const hash = Uint8Array.fromHex(secretHash)
  return key.hashes
    .filter(({ until }) => until === undefined || until > now)
    .map((valid) => Uint8Array.fromHex(valid.hash))
    .map((valid) => valid.length === hash.length && crypto.subtle.timingSafeEqual(hash, valid))
    .includes(true)
}

async function credentialOfToken(service: AccessService, token: string, now: Date): Promise<Credential | undefined> {
  const trust = await trustOf(service)
  const isKnown = trust.publicKeys.some((key) => (key as { kid?: string }).kid === keyIdOf(token))
  const { publicKeys, revoked } = isKnown ? trust : await trustOf(service, minTrustAgeMs)
  const credential = await verifyToken(token, publicKeys, now)
  return credential?.kind === 'token' && revoked.includes(credential.id!) ? undefined : credential
}

/** `kid` of the token's header, not verified. */
function keyIdOf(token: string): unknown {
  try {
    const bytes = Uint8Array.fromBase64(token.split('.')[0]!, { alphabet: 'base64url' })
    return (JSON.parse(new TextDecoder().decode(bytes)) as { kid?: unknown } | null)?.kid
  } catch {
    return undefined
  }
}

/** The minute in which each key was last reported as used. */
const usedMinutesOf = memoizeWeak((_: AccessService) => new Map<string, number>())

/** Reports the use of a key, once a minute for each isolate. */
function markUsed(service: AccessService, id: string, now: Date): void {
  const minutes = usedMinutesOf(service)
  const minute = Math.floor(now.getTime() / 60_000)
  if (minutes.get(id) === minute) return
  if (minutes.size >= 1_000) minutes.clear()
  minutes.set(id, minute)
  waitUntil(
    inTime(service.markUsed(id)).catch((error: unknown) =>
      log('error', { component: 'credentials', route: 'use', ...describe(error) }),
    ),
  )
}
