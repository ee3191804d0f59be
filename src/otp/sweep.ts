// The sweep of the one-time passwords, every minute: deletes expired passwords, claims and updates, and old caught messages.
import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { deleteMessages } from './caught-messages.ts'
import { deleteExpired } from './passwords.ts'
import { schema } from './schema.ts'
import { deleteClaims, deleteUpdates } from './updates.ts'

/**
 * How long updates are kept to recognize repeats. The bot platform repeats an update for up to a day (Telegram Bot API); this
 * is twice as long.
 */
const updateRetentionMs = 2 * 86_400_000

/** How long messages that the bot would have sent are kept on a local start. */
const messageRetentionMs = 7 * 86_400_000

const sweepBudgetMs = 20_000

/** Deletes expired rows in batches, for about `sweepBudgetMs` at most. The next sweep deletes the rest. */
export async function sweepPasswords(env: Env): Promise<void> {
  const otp = open(env, schema)
  const now = new Date()
  const end = now.getTime() + sweepBudgetMs
  const deletions = [
    () => deleteExpired(otp, now),
    () => deleteClaims(otp, now),
    () => deleteUpdates(otp, new Date(now.getTime() - updateRetentionMs)),
    () => deleteMessages(otp, new Date(now.getTime() - messageRetentionMs)),
  ]
  for (const deleteBatch of deletions) while ((await deleteBatch()) > 0 && Date.now() < end);
}
