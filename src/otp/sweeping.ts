import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { removeMessages } from './messages.ts'
import { removeExpired } from './passwords.ts'
import { schema } from './schema.ts'
import { removeClaims, removeUpdates } from './updates.ts'

/** How long the bot's platform may repeat an update: a day (Telegram Bot API), and one more. */
const repeated = 2 * 86_400_000

/** How long messages are kept that no bot has sent. */
const week = 7 * 86_400_000

const patience = 20_000

/** Removes what has expired, bit by bit, for about twenty seconds at most. */
export async function sweepPasswords(env: Env): Promise<void> {
  const otp = open(env, schema)
  const now = new Date()
  const end = now.getTime() + patience
  const removals = [
    () => removeExpired(otp, now),
    () => removeClaims(otp, now),
    () => removeUpdates(otp, new Date(now.getTime() - repeated)),
    () => removeMessages(otp, new Date(now.getTime() - week)),
  ]
  for (const remove of removals) while ((await remove()) > 0 && Date.now() < end);
}
