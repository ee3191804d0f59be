// The Worker of the queue: exports its API and durable objects for the runtime. Every minute it wakes overdue
// backlogs (the objects that store tasks), in case an alarm was lost.
import { withPersonalData, worker } from '#core/http/worker'
import { wakeOverdue } from '#queue/backlogs'
import { queue } from '#queue/index'
import { personalData } from '#queue/person'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export { Backlog } from '#queue/backlog'
export { WorkerRegistry } from '#queue/registry'
export { RemoteFetch } from '#queue/remote-fetch'
export default worker<QueueEnv>(withPersonalData(queue, personalData), wakeOverdue)
