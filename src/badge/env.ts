// The environment variables of the badge component, and the time before which a badge has expired.
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'

/** Environment variables of the badge component. */
export interface BadgeVariables extends CoreEnv {
  /** Lifetime of a badge in seconds. If the variable is not set, badges do not expire. */
  BADGES_LIFETIME?: string
}

const seconds = /^[1-9]\d{0,9}$/

/**
 * Returns the time before which a badge must have been created to be expired; undefined if badges do not expire. Throws 503
 * `not_configured` if the variable is invalid.
 */
export function expiryCutoff({ BADGES_LIFETIME }: Omit<BadgeVariables, 'FIRST_REPLY'>, now: Date): Date | undefined {
  if (!BADGES_LIFETIME) return undefined
  if (seconds.test(BADGES_LIFETIME)) return new Date(now.getTime() - Number(BADGES_LIFETIME) * 1_000)
  throw notConfigured('BADGES_LIFETIME must be a whole number of seconds between 1 and 9999999999.')
}
