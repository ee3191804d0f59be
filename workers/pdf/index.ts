import { worker } from '#core/http/worker'
import { pdf } from '#pdf/index'

export default worker<PdfEnv>(pdf)
