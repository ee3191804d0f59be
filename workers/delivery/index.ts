// The Worker of the bulk deliveries: exports their API and durable objects for the runtime, and every minute resumes
// deliveries that a crash interrupted and deletes expired ones.
import { withPersonalData, worker } from '#core/http/worker'
import { delivery } from '#delivery/index'
import { personalData } from '#delivery/person'
import { sweepDeliveries, sweepEnded } from '#delivery/sweep'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export { Ledger } from '#delivery/ledger'
export default worker<DeliveryEnv>(
  withPersonalData(delivery, personalData),
  (env) => sweepDeliveries(env),
  (env) => sweepEnded(env),
)
