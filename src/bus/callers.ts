// Authenticates callers by the secret in the header `Api-Secret`, or by a key or token of `access`. rights.ts checks the access of
// users to a collection.
import { and, eq } from 'drizzle-orm'
import type { Credential } from '#core/access/credential'
import { parseKey } from '#core/access/key-format'
import { allows, type Level } from '#core/access/scopes'
import { isTokenLike } from '#core/access/tokens'
import { open } from '#core/db/open'
import type { UnvalidatedRequest } from '#core/http/declaration'
import type { Env } from './bindings.ts'
import { systemName } from './collections.ts'
import { administratorOf } from './env.ts'
import { failure } from './errors.ts'
import { type Bus, schema } from './schema.ts'
import { hashOf } from './secrets.ts'

/** The error 401 for a secret that is missing or belongs to no enabled user. */
export const unauthorized = () =>
  failure('unauthorized', 'The header Api-Secret is missing or is not the secret of a user.', {
    headers: { 'www-authenticate': 'Api-Secret' },
  })

/** The error 403, for collections that exist and for those that do not, so that the reply does not reveal which names exist. */
export const forbidden = () => failure('forbidden', 'The user has no access to this operation or collection.')

const hashes = new WeakMap<Request, Promise<string>>()

interface Call {
  env: Env
  request: Request
  credential?: Credential
  params: { collection: string }
}

/**
 * The hash of the secret with which a call is made. A key or token has no user: the pipeline has checked its scope and bounds, and
 * it acts for the built-in administrator. It reads the replication log only with `bus:manage`, since the log has hashes of secrets.
 */
export async function callerOf({ env, request, credential, params }: Call): Promise<string> {
  if (!credential) return hashIn(request)
  if (params.collection === systemName && !allows(credential.scopes, 'bus', 'manage')) throw forbidden()
  return hashOf(administratorOf(env).secret)
}

/** Whether a request has a key or a token instead of `Api-Secret`. Root tokens are no secrets of the bus. */
function hasKey({ headers }: Request): boolean {
  const [, bearer = ''] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  return !headers.has('api-secret') && (parseKey(bearer) !== undefined || isTokenLike(bearer))
}

/** The hash of the secret in a request's `Api-Secret`; 401 without one. */
async function hashIn(request: Request): Promise<string> {
  const secret = request.headers.get('api-secret')
  if (!secret) throw unauthorized()
  const hash = hashes.get(request) ?? hashOf(secret)
  hashes.set(request, hash)
  return hash
}

const knownForMs = 5_000
const maxKnown = 10_000

/** Cache of hashes that belonged to a user until a moment ago. It saves a query only: each operation checks access again. */
const known = new WeakMap<Bus, Map<string, number>>()

/**
 * Throws 401 unless the secret belongs to a user, or did within the last 5 s. The statements of the operation check access again.
 * False for keys and tokens, which the pipeline checks.
 */
async function isKnown({ env, request }: UnvalidatedRequest<Env>): Promise<boolean> {
  if (hasKey(request)) return false
  const bus = open(env, schema)
  const seen = known.get(bus) ?? new Map<string, number>()
  known.set(bus, seen)
  const hash = await hashIn(request)
  if ((seen.get(hash) ?? 0) > Date.now()) return true
  await findCaller(bus, hash)
  if (seen.size >= maxKnown) seen.clear()
  seen.set(hash, Date.now() + knownForMs)
  return true
}

/** Throws 401 or 403 unless the request has the secret of an administrator. False for keys and tokens. */
async function isAdministrator({ env, request }: UnvalidatedRequest<Env>): Promise<boolean> {
  if (hasKey(request)) return false
  await requireAdministrator(open(env, schema), await hashIn(request))
  return true
}

/** Declares level, access and errors of an operation for administrators. */
export const forAdministrators = <Code extends string = never>(level: Level, ...codes: Code[]) => ({
  level,
  byAccount: true as const,
  proof: isAdministrator,
  provenBy: '`Api-Secret` of an administrator',
  errors: ['forbidden' as const, ...codes],
})

/** Declares level, access and errors of an operation on the documents of a collection, for users with access to it. */
export const forUsers = <Code extends string = never>(level: Level, ...codes: Code[]) => ({
  level,
  byAccount: true as const,
  bindable: ['collection'] as const,
  proof: isKnown,
  provenBy: '`Api-Secret` of a user with access to the collection',
  errors: ['collection_not_found' as const, 'forbidden' as const, ...codes],
})

/** Throws 401 or 403 unless the hash is of an administrator's secret. */
export async function requireAdministrator(bus: Bus, hash: string): Promise<void> {
  const { is_admin } = await findCaller(bus, hash)
  if (!is_admin) throw forbidden()
}

/** The enabled user with a secret's hash; 401 if there is none. */
export async function findCaller({ db, clients }: Bus, hash: string): Promise<{ is_admin: boolean }> {
  const [found] = await db
    .select({ is_admin: clients.is_admin })
    .from(clients)
    .where(and(eq(clients.secret_hash, hash), eq(clients.is_disabled, false)))
  if (!found) throw unauthorized()
  return found
}
