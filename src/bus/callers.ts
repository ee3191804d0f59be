// Authenticates callers by the secret in the header `Api-Secret`. rights.ts checks the access to a collection.
import { and, eq } from 'drizzle-orm'
import type { Level } from '#core/access/scopes'
import { open } from '#core/db/open'
import type { UnvalidatedRequest } from '#core/http/declaration'
import type { Env } from './bindings.ts'
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

/** The hash of the secret in a request's `Api-Secret`; 401 without one. */
export async function callerOf(request: Request): Promise<string> {
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

/** Throws 401 unless the secret belongs to a user, or did within the last 5 s. The statements of the operation check access again. */
async function isKnown({ env, request }: UnvalidatedRequest<Env>): Promise<true> {
  const bus = open(env, schema)
  const seen = known.get(bus) ?? new Map<string, number>()
  known.set(bus, seen)
  const hash = await callerOf(request)
  if ((seen.get(hash) ?? 0) > Date.now()) return true
  await findCaller(bus, hash)
  if (seen.size >= maxKnown) seen.clear()
  seen.set(hash, Date.now() + knownForMs)
  return true
}

/** Throws 401 or 403 unless the request has the secret of an administrator. */
async function isAdministrator({ env, request }: UnvalidatedRequest<Env>): Promise<true> {
  await requireAdministrator(open(env, schema), await callerOf(request))
  return true
}

const byAccount = { byAccount: true, onlyProven: true } as const

/** Declares level, access and errors of an operation for administrators. */
export const forAdministrators = <Code extends string = never>(level: Level, ...codes: Code[]) => ({
  level,
  ...byAccount,
  proof: isAdministrator,
  provenBy: '`Api-Secret` of an administrator',
  errors: ['forbidden' as const, ...codes],
})

/** Declares level, access and errors of an operation on the documents of a collection, for users with access to it. */
export const forUsers = <Code extends string = never>(level: Level, ...codes: Code[]) => ({
  level,
  ...byAccount,
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
async function findCaller({ db, clients }: Bus, hash: string): Promise<{ is_admin: boolean }> {
  const [found] = await db
    .select({ is_admin: clients.is_admin })
    .from(clients)
    .where(and(eq(clients.secret_hash, hash), eq(clients.is_disabled, false)))
  if (!found) throw unauthorized()
  return found
}
