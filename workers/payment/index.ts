// The Worker of the payments: exports their API, with a log of all requests, and its durable objects. Every minute it
// resumes webhooks whose alarm was lost, and deletes old logs.
import { withPersonalData, worker } from '#core/http/worker'
import { withHttpLog } from '#payment/http-log-middleware'
import { payment } from '#payment/index'
import { personalData } from '#payment/person'
import { deleteExpiredLogs, resumeWebhooks } from '#payment/sweep'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export { Dispatcher } from '#payment/dispatcher'
export { LogQuota } from '#payment/http-log-quota'
export { Webhook } from '#payment/webhook-schedule'
export default worker<PaymentEnv>(
  withPersonalData(withHttpLog(payment), personalData),
  resumeWebhooks,
  deleteExpiredLogs,
)
