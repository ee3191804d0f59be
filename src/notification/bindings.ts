import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/declaration'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'

/**
 * Bindings and environment variables of the Worker `notification`. An `…_URL` with an `…_TOKEN` is the address of a component
 * that is not bound.
 */
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
  /** Queue worker that holds the tasks which send the messages. Default: `notification`. */
  NOTIFICATION_QUEUE_WORKER?: string
  /** Locale to use for a text that has neither the requested locale nor its language. */
  NOTIFY_DEFAULT_LOCALE?: string
}
