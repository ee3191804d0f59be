import { and, eq } from 'drizzle-orm'
import { open } from '#core/db/open'
import type { UnvalidatedRequest } from '#core/http/declaration'
import type { Env } from './bindings.ts'
import { failure } from './errors.ts'
import { type Bus, schema } from './schema.ts'
import { hashOf } from './secrets.ts'

/** Why somebody is no user: 401. */
export const unknownCaller = () =>
  failure('unauthorized', 'The header Api-Secret is missing, or has no secret of a user.', {
    headers: { 'www-authenticate': 'Api-Secret' },
  })

/** Why somebody has not the right: 403, of what exists and of what does not. */
export const notAllowed = () => failure('forbidden', 'The user has no right to do this.')

const hashes = new WeakMap<Request, Promise<string>>()

/** The hash of the secret that a request carries; 401 without one. */
export async function callerOf(request: Request): Promise<string> {
  const secret = request.headers.get('api-secret')
  if (!secret) throw unknownCaller()
  const hash = hashes.get(request) ?? hashOf(secret)
  hashes.set(request, hash)
  return hash
}

const freshness = 5_000
const mostKnown = 10_000

/** Hashes that were a user's a moment ago. They only spare a look that the work itself repeats. */
const known = new WeakMap<Bus, Map<string, number>>()

/** Lets pass who is, or just was, a user; what is done then checks the right again, in the statement that does it. */
export async function isKnown({ env, request }: UnvalidatedRequest<Env>): Promise<true> {
  const bus = open(env, schema)
  const seen = known.get(bus) ?? new Map<string, number>()
  known.set(bus, seen)
  const hash = await callerOf(request)
  if ((seen.get(hash) ?? 0) > Date.now()) return true
  await findCaller(bus, hash)
  if (seen.size >= mostKnown) seen.clear()
  seen.set(hash, Date.now() + freshness)
  return true
}

/** Lets pass administrators. */
export async function isAdministrator({ env, request }: UnvalidatedRequest<Env>): Promise<true> {
  await requireAdministrator(open(env, schema), await callerOf(request))
  return true
}

/** Declares an operation for administrators that has no other errors. */
export const administration = { proof: isAdministrator, errors: ['forbidden'] } as const

/** Refuses whose secret is not an administrator's: 401, 403. */
export async function requireAdministrator(bus: Bus, hash: string): Promise<void> {
  const { is_admin } = await findCaller(bus, hash)
  if (!is_admin) throw notAllowed()
}

/** The user with a secret; 401 where there is none. */
async function findCaller({ db, clients }: Bus, hash: string): Promise<{ is_admin: boolean }> {
  const [found] = await db
    .select({ is_admin: clients.is_admin })
    .from(clients)
    .where(and(eq(clients.secret_hash, hash), eq(clients.is_disabled, false)))
  if (!found) throw unknownCaller()
  return found
}
