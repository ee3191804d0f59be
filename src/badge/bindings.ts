import type { DatabaseEnv } from '#core/db/open'
import type { FirstReply } from '#core/objects/first-reply'
import type { BadgeVariables } from './env.ts'

/** What the badges need bound. */
export interface Env extends DatabaseEnv, BadgeVariables {
  FIRST_REPLY: DurableObjectNamespace<FirstReply>
}
