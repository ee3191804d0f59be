// The Worker of the bus: exports its API and durable objects for the runtime. Every minute it starts the objects that
// copy data from other instances, creates the queue tasks that a crash prevented, deletes expired documents, and continues operations.
import { sweepDocuments } from '#bus/callbacks'
import { bus } from '#bus/index'
import { followInstances } from '#bus/instances'
import { sweepOperations } from '#bus/operations'
import { personalData } from '#bus/person'
import { sweepExpiredDocuments } from '#bus/retention'
import { sweepIndexes } from '#bus/state-index'
import { withPersonalData, worker } from '#core/http/worker'

export { Synchroniser } from '#bus/synchroniser'
export { Meter } from '#core/metrics/meter'
export default worker<BusEnv>(
  withPersonalData(bus, personalData),
  followInstances,
  (env) => sweepDocuments(env),
  (env) => sweepExpiredDocuments(env),
  (env) => sweepOperations(env),
  sweepIndexes,
)
