import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { Backlog } from './backlog.ts'
import type { QueueVariables } from './env.ts'

/** What the queue needs bound. */
export interface Env extends QueueVariables {
  BACKLOG: DurableObjectNamespace<Backlog>
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
}
