import type { DatabaseEnv } from '#core/db/open'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { OtpVariables } from './env.ts'
import type { Guard } from './guard.ts'
import type { Limiter } from './limiter.ts'

/** Bindings and environment variables of the Worker `otp`, the component of one-time passwords. */
export interface Env extends DatabaseEnv, OtpVariables {
  LIMITER: DurableObjectNamespace<Limiter>
  GUARD: DurableObjectNamespace<Guard>
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
  QUEUE?: Fetcher
}
