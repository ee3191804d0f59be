import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/declaration'

/** What the signature store needs bound. */
export interface Env extends CoreEnv, DatabaseEnv {
  /** What is too large for a row. */
  FILES: R2Bucket
}
