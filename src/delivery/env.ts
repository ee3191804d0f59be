import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/api'
import type { Ledger } from './ledger.ts'

/** What the deliveries need bound, and the variables they read. */
export interface Env extends CoreEnv, DatabaseEnv {
  LEDGER: DurableObjectNamespace<Ledger>
  QUEUE?: Fetcher
  SMS?: Fetcher
  EMAIL?: Fetcher
  FEED?: Fetcher
  QUEUE_URL?: string
  SMS_URL?: string
  EMAIL_URL?: string
  FEED_URL?: string
  /** The component's own address, where the queue calls it back. */
  SELF_URL?: string
  /** What the queue's own calls are proven by. */
  DELIVERY_SECRET?: string
  /** The queue's worker that sends; `delivery` unless given. */
  DELIVERY_QUEUE_WORKER?: string
  /** The locale of a text where there is none for a recipient's. */
  NOTIFY_DEFAULT_LOCALE?: string
}
