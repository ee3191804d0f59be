// The Worker of the bus: exports its API and durable objects. Every minute it starts the readers of other instances and
// creates missing tasks.
import { sweepDocuments } from '#bus/callbacks'
import { bus } from '#bus/index'
import { followInstances } from '#bus/instances'
import { worker } from '#core/http/worker'

export { Synchroniser } from '#bus/synchroniser'
export { Meter } from '#core/metrics/meter'
export default worker<BusEnv>(bus, followInstances, (env) => sweepDocuments(env))
