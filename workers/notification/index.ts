// The Worker of the notification templates: exports their API and durable objects for the runtime. It has no background
// work.
import { worker } from '#core/http/worker'
import { notification } from '#notification/index'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export default worker<NotificationEnv>(notification)
