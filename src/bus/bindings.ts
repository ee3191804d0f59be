import type { DatabaseEnv } from '#core/db/open'
import type { BusVariables } from './env.ts'
import type { Synchroniser } from './synchroniser.ts'

/** What the bus needs bound. */
export interface Env extends DatabaseEnv, BusVariables {
  QUEUE?: Fetcher
  SYNCHRONISER: DurableObjectNamespace<Synchroniser>
}
