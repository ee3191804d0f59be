import type { DatabaseEnv } from '#core/db/open'
import type { BusVariables } from './env.ts'
import type { Synchroniser } from './synchroniser.ts'

/** The variables and bindings of the bus. */
export interface Env extends DatabaseEnv, BusVariables {
  QUEUE?: Fetcher
  SYNCHRONISER: DurableObjectNamespace<Synchroniser>
}
