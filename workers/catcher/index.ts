// The Worker of the catcher: exports its API and its durable objects. It has no work every minute.
import { catcher } from '#catcher/index'
import { worker } from '#core/http/worker'

export { CaptureQuota } from '#catcher/quota'
export { Space } from '#catcher/space'
export { Meter } from '#core/metrics/meter'
export default worker<CatcherEnv>(catcher)
