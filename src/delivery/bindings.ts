import type { FirstReply } from '#core/objects/first-reply'
import type { CourierEnv } from './env.ts'
import type { Ledger } from './ledger.ts'

/** What the deliveries need bound. */
export interface Env extends CourierEnv {
  LEDGER: DurableObjectNamespace<Ledger>
  FIRST_REPLY: DurableObjectNamespace<FirstReply>
  SMS?: Fetcher
  EMAIL?: Fetcher
  FEED?: Fetcher
}
