import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/declaration'
import type { AccessDatabase } from './database.ts'
import type { KeyLimiter } from './key-limiter.ts'

/** Bindings and variables of the Worker `access`. */
export interface Env extends CoreEnv, DatabaseEnv {
  DATABASE: DurableObjectNamespace<AccessDatabase>
  KEY_LIMITER: DurableObjectNamespace<KeyLimiter>
}
