// The bindings of the signature Worker: the database, the bucket and the shared variables.
import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/declaration'

/** Bindings of the signature component. */
export interface Env extends CoreEnv, DatabaseEnv {
  /** R2 bucket for signed data that is too large for a database row. */
  FILES: R2Bucket
}
