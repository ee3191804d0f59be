import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/api'
import type { Webhooks } from './webhooks.ts'

/** What the payments need bound, and the variables they read. */
export interface Env extends CoreEnv, DatabaseEnv {
  WEBHOOKS: DurableObjectNamespace<Webhooks>
  /** The merchant's public id at the processor, for the card page. */
  PAYMENT_PUBLIC_ID?: string
  /** What the processor signs its notifications with. */
  PAYMENT_API_SECRET?: string
  /** The operator's endpoint that knows accounts; every account is accepted without it. */
  PAYMENT_CHECK_URL?: string
  /** The operator's endpoint that receives payments. */
  PAYMENT_WEBHOOK_URL?: string
}
