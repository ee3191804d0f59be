import type { DatabaseEnv } from '#core/db/open'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { BadgeVariables } from './env.ts'

/** Bindings and environment variables of the Worker `badge`. */
export interface Env extends DatabaseEnv, BadgeVariables {
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
}
