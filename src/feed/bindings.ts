import type { DatabaseEnv } from '#core/db/open'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { Audience } from './audience.ts'
import type { FeedVariables } from './env.ts'

/** Bindings and environment variables of the Worker `feed`. */
export interface Env extends DatabaseEnv, FeedVariables {
  AUDIENCE: DurableObjectNamespace<Audience>
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
}
