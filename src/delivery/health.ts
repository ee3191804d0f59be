import { ping } from '#core/db/open'
import { peer } from '#core/outgoing/peer'
import type { Env } from './bindings.ts'

interface Healthy {
  calls?: { 'GET /_health': { params: {}; content: unknown } }
}

/** The checks of `/_health`: the database and the queue, without which no delivery can run. */
export const probes = (env: Env) => ({
  database: async () => ping(env),
  queue: async () => peer<Healthy>({ ...env }, 'queue')('GET /_health', {}),
})
