import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/api'
import type { Guard } from './guard.ts'
import type { Limiter } from './limiter.ts'

/** What the one-time passwords need bound, and the variables they read. */
export interface Env extends CoreEnv, DatabaseEnv {
  LIMITER: DurableObjectNamespace<Limiter>
  GUARD: DurableObjectNamespace<Guard>
  QUEUE?: Fetcher
  QUEUE_URL?: string
  SMS_URL?: string
  EMAIL_URL?: string
  SELF_URL?: string
  /** What passwords are hashed and encrypted under. */
  OTP_SECRET?: string
  /** The queue's worker that delivers; `otp` unless given. */
  OTP_QUEUE_WORKER?: string
  /** Wrong checks of a target after which it is locked; 5 unless given. */
  OTP_MAX_ATTEMPTS?: string
  /** `true`: a right check does not use a password up. */
  OTP_REUSABLE?: string
  /** The bot's token. */
  CHATAPP_BOT_TOKEN?: string
  /** In place of the bot platform's own address. */
  CHATAPP_URL?: string
  /** What the platform shows as proof that an update is its own. */
  CHATAPP_WEBHOOK_SECRET?: string
  /** Seconds that a password lives that the bot was asked for; 300 unless given. */
  CHATAPP_LIFETIME?: string
}
