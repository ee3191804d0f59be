// Health checks of the bus (`/_health`), and the access check for them.
import { isSame } from '#core/access/constant-time'
import { open, ping } from '#core/db/open'
import { Failure } from '#core/failure'
import { peer } from '#core/outgoing/peer'
import type { Env } from './bindings.ts'
import { findCaller } from './callers.ts'
import { failure } from './errors.ts'
import { schema } from './schema.ts'
import { hashOf } from './secrets.ts'

interface Healthy {
  calls?: { 'GET /_health': { params: {}; content: unknown } }
}

/** Checks that the database and the queue respond. */
export const probes = (env: Env) => ({
  database: async () => ping(env),
  queue: async () => peer<Healthy>({ ...env }, 'queue')('GET /_health', {}),
})

/**
 * Whether a request has the administrator's secret and may therefore see the health checks, also if the database is down. Throws 401
 * if the secret is that of no user.
 */
export async function mayProbe(env: Env, request: Request): Promise<boolean> {
  const secret = request.headers.get('api-secret')
  if (!secret) return false
  if (env.BOX_ADMIN_SECRET && (await isSame(secret, env.BOX_ADMIN_SECRET))) return true
  await checkSecret(env, secret)
  return false
}

async function checkSecret(env: Env, secret: string): Promise<void> {
  try {
    await findCaller(open(env, schema), await hashOf(secret))
  } catch (cause) {
    if (Failure.is(cause)) throw cause
    throw failure('unavailable', 'The database does not answer, so that Api-Secret cannot be checked.', {
      retryAfter: 5,
      cause,
    })
  }
}
