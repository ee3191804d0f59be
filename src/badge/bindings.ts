// The bindings of the badge Worker.
import type { DatabaseEnv } from '#core/db/open'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { BadgeVariables } from './env.ts'

/** Bindings and environment variables of the Worker `badge`. `FIRST_REPLY` stores the replies to idempotency keys. */
export interface Env extends DatabaseEnv, BadgeVariables {
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
}
