import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'

/** The variables that the badges read. */
export interface BadgeVariables extends CoreEnv {
  /** Seconds after which a badge is gone; none: never. */
  BADGES_LIFETIME?: string
}

const seconds = /^[1-9]\d{0,9}$/

/** The moment before which badges have expired; none where they do not. */
export function horizonOf({ BADGES_LIFETIME }: Omit<BadgeVariables, 'FIRST_REPLY'>, now: Date): Date | undefined {
  if (!BADGES_LIFETIME) return undefined
  if (seconds.test(BADGES_LIFETIME)) return new Date(now.getTime() - Number(BADGES_LIFETIME) * 1_000)
  throw notConfigured('BADGES_LIFETIME must be a whole number of seconds above 0')
}
