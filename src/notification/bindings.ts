import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/declaration'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'

/** Bindings and environment variables of the Worker `notification`. */
export interface Env extends CoreEnv, DatabaseEnv {
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
  QUEUE?: Fetcher
  QUEUE_URL?: string
  SMS_URL?: string
  EMAIL_URL?: string
  FEED_URL?: string
  QUEUE_TOKEN?: string
  SMS_TOKEN?: string
  EMAIL_TOKEN?: string
  FEED_TOKEN?: string
  /** The queue worker that sends the messages. Default: `notification`. */
  NOTIFICATION_QUEUE_WORKER?: string
  /** Locale used if a text does not have the requested one. */
  NOTIFY_DEFAULT_LOCALE?: string
}
