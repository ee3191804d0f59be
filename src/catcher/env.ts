import type { CoreEnv } from '#core/http/api'
import type { Space } from './space.ts'

/** What the catcher needs bound, and the variables it reads. */
export interface Env extends CoreEnv {
  SPACE: DurableObjectNamespace<Space>
  /** Seconds after which a silent space is forgotten; a week unless given. */
  CATCHER_RETENTION?: string
}

const week = 604_800

/** In milliseconds; a value that is no number of seconds counts as none. */
export const retentionOf = ({ CATCHER_RETENTION = '' }: Pick<Env, 'CATCHER_RETENTION'>) =>
  (/^[1-9]\d{0,8}$/.test(CATCHER_RETENTION) ? Number(CATCHER_RETENTION) : week) * 1000
