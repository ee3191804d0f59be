import type { DatabaseEnv } from '#core/db/open'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { BadgeVariables } from './env.ts'

/** The bindings and variables of the badges. */
export interface Env extends DatabaseEnv, BadgeVariables {
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
}
