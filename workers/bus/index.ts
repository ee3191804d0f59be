import { sweepDocuments } from '#bus/calling-back'
import { followInstances } from '#bus/following'
import { bus } from '#bus/index'
import { worker } from '#core/http/worker'

export { Synchroniser } from '#bus/synchroniser'
export { Meter } from '#core/metrics/meter'
export default worker<BusEnv>(bus, followInstances, (env) => sweepDocuments(env))
