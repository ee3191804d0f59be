import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/declaration'

/** Bindings of the signature component. */
export interface Env extends CoreEnv, DatabaseEnv {
  /** Signed data that is too large for a database row. */
  FILES: R2Bucket
}
