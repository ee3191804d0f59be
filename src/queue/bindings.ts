import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { Backlog } from './backlog.ts'
import type { QueueVariables } from './env.ts'

/** The variables and bindings of the queue. */
export interface Env extends QueueVariables {
  BACKLOG: DurableObjectNamespace<Backlog>
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
}
