import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'

/** The variables that the catcher reads. */
export interface CatcherVariables extends CoreEnv {
  /** Seconds after which a silent space is forgotten; a week unless given. */
  CATCHER_RETENTION?: string
}

const week = 604_800

const seconds = /^[1-9]\d{0,8}$/

/** In milliseconds; a value that is no number of seconds counts as none, since an alarm has nobody to refuse. */
export const retentionOf = ({ CATCHER_RETENTION = '' }: Pick<CatcherVariables, 'CATCHER_RETENTION'>) =>
  (seconds.test(CATCHER_RETENTION) ? Number(CATCHER_RETENTION) : week) * 1000

/** Refuses to serve anything with a configuration that cannot be read. */
export function checkConfiguration({ CATCHER_RETENTION }: Pick<CatcherVariables, 'CATCHER_RETENTION'>): void {
  if (CATCHER_RETENTION && !seconds.test(CATCHER_RETENTION))
    throw notConfigured('CATCHER_RETENTION must be a whole number of seconds between 1 and 999999999.')
}
