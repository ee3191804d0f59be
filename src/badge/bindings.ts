import type { DatabaseEnv } from '#core/db/open'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { BadgeVariables } from './env.ts'

/** What the badges need bound. */
export interface Env extends DatabaseEnv, BadgeVariables {
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
}
