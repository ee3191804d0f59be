import { worker } from '#core/http/worker'
import { payment } from '#payment/index'
import { logged } from '#payment/logging'
import { forgetLogs, takeUpWebhooks } from '#payment/sweeping'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export { Dispatcher } from '#payment/dispatcher'
export { LogQuota } from '#payment/log-quota'
export { Webhook } from '#payment/webhook'
export default worker<PaymentEnv>(logged(payment), takeUpWebhooks, forgetLogs)
