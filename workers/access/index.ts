import { access } from '#access/index'
import { worker } from '#core/http/worker'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export default worker<AccessEnv>(access)
