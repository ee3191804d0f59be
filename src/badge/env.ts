// The environment variables of the badge component, and the time before which a badge has expired.
import { cutoffOf } from '#core/db/retention'
import type { CoreEnv } from '#core/http/declaration'

/** Environment variables of the badge component. */
export interface BadgeVariables extends CoreEnv {
  /** Lifetime of a badge in seconds. If the variable is not set, badges do not expire. */
  BADGES_LIFETIME?: string
}

/**
 * Returns the time before which a badge must have been created to be expired; undefined if badges do not expire. Throws 503
 * `not_configured` if the variable is invalid.
 */
export const expiryCutoff = ({ BADGES_LIFETIME }: Omit<BadgeVariables, 'FIRST_REPLY'>, now: Date): Date | undefined =>
  cutoffOf('BADGES_LIFETIME', BADGES_LIFETIME, now)
