import { ping } from '#core/db/open'
import { peer } from '#core/outgoing/peer'
import type { Env } from './bindings.ts'

interface Healthy {
  calls?: { 'GET /_health': { params: {}; content: unknown } }
}

/** Health checks of the database and the queue. */
export const probes = (env: Env) => ({
  database: async () => ping(env),
  queue: async () => peer<Healthy>({ ...env }, 'queue')('GET /_health', {}),
})
