import { worker } from '#core/http/worker'
import { signature } from '#signature/index'
import { sweepObjects } from '#signature/objects'

export default worker<SignatureEnv>(signature, sweepObjects)
