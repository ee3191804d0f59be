import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/api'
import type { CaptureQuota } from './quota.ts'
import type { Space } from './space.ts'

/** What the catcher needs bound, and the variables it reads. */
export interface Env extends CoreEnv {
  SPACE: DurableObjectNamespace<Space>
  CAPTURE_QUOTA: DurableObjectNamespace<CaptureQuota>
  /** Seconds after which a silent space is forgotten; a week unless given. */
  CATCHER_RETENTION?: string
}

const week = 604_800

const seconds = /^[1-9]\d{0,8}$/

/** In milliseconds; a value that is no number of seconds counts as none, since an alarm has nobody to refuse. */
export const retentionOf = ({ CATCHER_RETENTION = '' }: Pick<Env, 'CATCHER_RETENTION'>) =>
  (seconds.test(CATCHER_RETENTION) ? Number(CATCHER_RETENTION) : week) * 1000

/** Refuses to serve anything with a configuration that cannot be read. */
export function checkConfiguration({ CATCHER_RETENTION }: Pick<Env, 'CATCHER_RETENTION'>): void {
  if (CATCHER_RETENTION && !seconds.test(CATCHER_RETENTION))
    throw notConfigured('CATCHER_RETENTION must be a whole number of seconds from 1 to 999999999')
}
