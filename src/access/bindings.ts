import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/declaration'
import type { SqlDatabase } from '#core/objects/sql-database'
import type { AuditDay } from './audit-day.ts'
import type { KeyLimiter } from './key-limiter.ts'

/** Bindings and variables of the Worker `access`. */
export interface Env extends CoreEnv, DatabaseEnv {
  DATABASE: DurableObjectNamespace<SqlDatabase>
  KEY_LIMITER: DurableObjectNamespace<KeyLimiter>
  AUDIT_DAY: DurableObjectNamespace<AuditDay>
  /** Days for which the audit log is stored. Default: 90. */
  AUDIT_RETENTION?: string
}
