import type { DatabaseEnv } from '#core/db/open'
import type { BusVariables } from './env.ts'
import type { Synchroniser } from './synchroniser.ts'

/** Environment of the bus: its variables, its database, the queue, and the durable objects that read other instances' logs. */
export interface Env extends DatabaseEnv, BusVariables {
  QUEUE?: Fetcher
  SYNCHRONISER: DurableObjectNamespace<Synchroniser>
}
