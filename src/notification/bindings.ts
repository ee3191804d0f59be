import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/declaration'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'

/** What the notifications need bound, and the variables they read. */
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
  /** The queue's worker that sends; `notification` unless given. */
  NOTIFICATION_QUEUE_WORKER?: string
  /** The locale of a text where there is none for the one asked for. */
  NOTIFY_DEFAULT_LOCALE?: string
}
