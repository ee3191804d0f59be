import { ping } from '#core/db/open'
import { hasAccess, isSame } from '#core/http/access'
import { peer } from '#core/outgoing/peer'
import type { Env } from './bindings.ts'

interface Healthy {
  calls?: { 'GET /_health': { params: {}; content: unknown } }
}

/** Health checks of the bus's dependencies. */
export const probes = (env: Env) => ({
  database: async () => ping(env),
  queue: async () => peer<Healthy>({ ...env }, 'queue')('GET /_health', {}),
})

/** Whether a request may see the health checks: with access, or with the administrator's secret, which needs no database. */
export async function mayProbe(env: Env, request: Request): Promise<boolean> {
  if (await hasAccess(env, request)) return true
  const secret = request.headers.get('api-secret')
  return Boolean(secret && env.BOX_ADMIN_SECRET) && isSame(secret!, env.BOX_ADMIN_SECRET!)
}
