import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { CourierEnv } from './env.ts'
import type { Ledger } from './ledger.ts'

/** What the deliveries need bound. */
export interface Env extends CourierEnv {
  LEDGER: DurableObjectNamespace<Ledger>
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
  SMS?: Fetcher
  EMAIL?: Fetcher
  FEED?: Fetcher
}
