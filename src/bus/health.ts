import { ping } from '#core/db/open'
import { hasAccess, isSame } from '#core/http/access'
import { peer } from '#core/outgoing/peer'
import type { Env } from './bindings.ts'

interface Healthy {
  calls?: { 'GET /_health': { params: {}; content: unknown } }
}

/** What the bus depends on. */
export const probes = (env: Env) => ({
  database: async () => ping(env),
  queue: async () => peer<Healthy>({ ...env }, 'queue')('GET /_health', {}),
})

/** Who learns how that is: who has access, or the administrator, who is known without the database. */
export async function mayProbe(env: Env, request: Request): Promise<boolean> {
  if (await hasAccess(env, request)) return true
  const secret = request.headers.get('api-secret')
  return Boolean(secret && env.BOX_ADMIN_SECRET) && isSame(secret!, env.BOX_ADMIN_SECRET!)
}
