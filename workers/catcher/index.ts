// The Worker of the catcher, which records requests for inspection: exports its API and durable objects for the
// runtime.
import { catcher } from '#catcher/index'
import { personalData } from '#catcher/person'
import { withPersonalData, worker } from '#core/http/worker'

export { CaptureQuota } from '#catcher/quota'
export { Space } from '#catcher/space'
export { Meter } from '#core/metrics/meter'
export default worker<CatcherEnv>(withPersonalData(catcher, personalData))
