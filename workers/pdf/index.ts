import { worker } from '#core/http/worker'
import { sweepKept } from '#pdf/cache'
import { pdf } from '#pdf/index'

export default worker<PdfEnv>(pdf, sweepKept)
