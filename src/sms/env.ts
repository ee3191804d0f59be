import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/api'
import type { FirstReply } from '#core/objects/first-reply'

/** What the gateway of messages needs bound, and the variables it reads; each provider's are `PROVIDER_A_DRIVER` and so on. */
export interface Env extends CoreEnv, DatabaseEnv {
  FIRST_REPLY: DurableObjectNamespace<FirstReply>
  /** The provider of a request that names none; `provider_a` unless given. */
  SMS_PROVIDER?: string
  /** Comma-separated: the providers tried next where one certainly did not take a message. */
  SMS_FALLBACK?: string
  SELF_URL?: string
}
