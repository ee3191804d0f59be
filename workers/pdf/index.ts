import { worker } from '#core/http/worker'
import { sweepKept } from '#pdf/cache'
import { pdf } from '#pdf/index'
import { sweepStored } from '#pdf/store'

export { Meter } from '#core/metrics/meter'
export default worker<PdfEnv>(pdf, async (env) => {
  await sweepKept(env)
  await sweepStored(env)
})
