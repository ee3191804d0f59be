// Health checks of the bus (`/_health`), and the access check for them.
import { isSame } from '#core/access/constant-time'
import { ping } from '#core/db/open'
import { peer } from '#core/outgoing/peer'
import type { Env } from './bindings.ts'

interface Healthy {
  calls?: { 'GET /_health': { params: {}; content: unknown } }
}

/** Checks that the database and the queue respond. */
export const probes = (env: Env) => ({
  database: async () => ping(env),
  queue: async () => peer<Healthy>({ ...env }, 'queue')('GET /_health', {}),
})

/** Whether a request has the administrator's secret and may therefore see the health checks, also if the database is down. */
export async function mayProbe(env: Env, request: Request): Promise<boolean> {
  const secret = request.headers.get('api-secret')
  return Boolean(secret && env.BOX_ADMIN_SECRET) && isSame(secret!, env.BOX_ADMIN_SECRET!)
}
