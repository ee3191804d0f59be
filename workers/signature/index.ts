// The Worker of the signatures: exports their API and durable object, and every minute deletes orphaned objects from
// R2.
import { withPersonalData, worker } from '#core/http/worker'
import { signature } from '#signature/index'
import { personalData } from '#signature/person'
import { sweepObjects } from '#signature/r2-objects'

export { Meter } from '#core/metrics/meter'
export default worker<SignatureEnv>(withPersonalData(signature, personalData), sweepObjects)
