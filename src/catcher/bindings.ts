import type { QuotaEnv } from './reservation.ts'
import type { Space } from './space.ts'

/** The variables and bindings of the catcher. */
export interface Env extends QuotaEnv {
  SPACE: DurableObjectNamespace<Space>
}
