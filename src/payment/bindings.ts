import type { DatabaseEnv } from '#core/db/open'
import type { Dispatcher } from './dispatcher.ts'
import type { PaymentVariables } from './env.ts'
import type { LogQuota } from './http-log-quota.ts'
import type { Webhook } from './webhook-schedule.ts'

/** Environment of the payment component: its variables, its database, and the namespaces of its durable objects. */
export interface Env extends DatabaseEnv, PaymentVariables {
  WEBHOOK: DurableObjectNamespace<Webhook>
  DISPATCHER: DurableObjectNamespace<Dispatcher>
  LOG_QUOTA: DurableObjectNamespace<LogQuota>
  RATE_LIMIT: RateLimit
}
