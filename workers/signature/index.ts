import { worker } from '#core/http/worker'
import { signature } from '#signature/index'
import { sweepObjects } from '#signature/r2-objects'

export { Meter } from '#core/metrics/meter'
export default worker<SignatureEnv>(signature, sweepObjects)
