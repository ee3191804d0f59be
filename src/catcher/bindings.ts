import type { QuotaEnv } from './reservation.ts'
import type { Space } from './space.ts'

/** Environment of the catcher: its variables, and the namespaces of its durable objects (the quota, and one object per space). */
export interface Env extends QuotaEnv {
  SPACE: DurableObjectNamespace<Space>
  RATE_LIMIT: RateLimit
}
