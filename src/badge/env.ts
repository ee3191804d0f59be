import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'

/** Environment variables of the badges. */
export interface BadgeVariables extends CoreEnv {
  /** Lifetime of a badge in seconds. Without it badges do not expire. */
  BADGES_LIFETIME?: string
}

const seconds = /^[1-9]\d{0,9}$/

/** Badges created before this time have expired. Undefined if badges do not expire. */
export function expiryCutoff({ BADGES_LIFETIME }: Omit<BadgeVariables, 'FIRST_REPLY'>, now: Date): Date | undefined {
  if (!BADGES_LIFETIME) return undefined
  if (seconds.test(BADGES_LIFETIME)) return new Date(now.getTime() - Number(BADGES_LIFETIME) * 1_000)
  throw notConfigured('BADGES_LIFETIME must be a whole number of seconds between 1 and 9999999999.')
}
