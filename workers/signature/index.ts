import { worker } from '#core/http/worker'
import { signature } from '#signature/index'

export default worker<SignatureEnv>(signature)
