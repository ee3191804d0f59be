// The variable of the catcher, its default and its check.
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'

/** The variables that the catcher reads. */
export interface CatcherVariables extends CoreEnv {
  /** Seconds for which requests are stored. A space without requests for this time is deleted. Default: a week. */
  CATCHER_RETENTION?: string
}

const defaultRetentionSeconds = 604_800

const wholeSeconds = /^[1-9]\d{0,8}$/

/** `CATCHER_RETENTION` in milliseconds. An invalid value counts as the default, since an alarm has no caller to return an error to. */
export const retentionOf = ({ CATCHER_RETENTION = '' }: Pick<CatcherVariables, 'CATCHER_RETENTION'>) =>
  (wholeSeconds.test(CATCHER_RETENTION) ? Number(CATCHER_RETENTION) : defaultRetentionSeconds) * 1000

/** Throws 503 if `CATCHER_RETENTION` is invalid, so that calls of the API report a value that alarms ignore. */
export function checkConfiguration({ CATCHER_RETENTION }: Pick<CatcherVariables, 'CATCHER_RETENTION'>): void {
  if (CATCHER_RETENTION && !wholeSeconds.test(CATCHER_RETENTION))
    throw notConfigured('CATCHER_RETENTION must be a whole number of seconds between 1 and 999999999.')
}
