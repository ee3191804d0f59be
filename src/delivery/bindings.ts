import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { LedgerEnv } from './env.ts'
import type { Ledger } from './ledger.ts'

/** Bindings and environment variables of the Worker `delivery`. */
export interface Env extends LedgerEnv {
  LEDGER: DurableObjectNamespace<Ledger>
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
  SMS?: Fetcher
  EMAIL?: Fetcher
  FEED?: Fetcher
}
