// The Worker of the PDF renderer: exports its API and durable object for the runtime, and every minute deletes stored
// PDFs that have expired.
import { worker } from '#core/http/worker'
import { sweepCache } from '#pdf/cache'
import { pdf } from '#pdf/index'
import { sweepStore } from '#pdf/store'

export { Meter } from '#core/metrics/meter'
export default worker<PdfEnv>(pdf, async (env) => {
  await sweepCache(env)
  await sweepStore(env)
})
