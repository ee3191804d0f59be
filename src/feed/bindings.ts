import type { DatabaseEnv } from '#core/db/open'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { Audience } from './audience.ts'
import type { FeedVariables } from './env.ts'

/** What the feed needs bound. */
export interface Env extends DatabaseEnv, FeedVariables {
  AUDIENCE: DurableObjectNamespace<Audience>
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
}
