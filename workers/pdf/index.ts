import { worker } from '#core/http/worker'
import { sweepKept } from '#pdf/cache'
import { pdf } from '#pdf/index'

export { Meter } from '#core/metrics/meter'
export default worker<PdfEnv>(pdf, sweepKept)
