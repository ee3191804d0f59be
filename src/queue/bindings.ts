import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { Backlog } from './backlog.ts'
import type { QueueVariables } from './env.ts'
import type { WorkerRegistry } from './registry.ts'

/** Environment of the queue: its variables, and the namespaces of its durable objects (backlogs, their registry, and idempotency records). */
export interface Env extends QueueVariables {
  BACKLOG: DurableObjectNamespace<Backlog>
  REGISTRY: DurableObjectNamespace<WorkerRegistry>
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
}
