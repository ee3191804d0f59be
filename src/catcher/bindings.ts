import type { QuotaEnv } from './reservation.ts'
import type { Space } from './space.ts'

/** What the catcher needs bound. */
export interface Env extends QuotaEnv {
  SPACE: DurableObjectNamespace<Space>
}
