import { sweepDocuments } from '#bus/callbacks'
import { bus } from '#bus/index'
import { followInstances } from '#bus/instances'
import { worker } from '#core/http/worker'

export { Synchroniser } from '#bus/synchroniser'
export { Meter } from '#core/metrics/meter'
export default worker<BusEnv>(bus, followInstances, (env) => sweepDocuments(env))
