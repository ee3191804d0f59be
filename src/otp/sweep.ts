// Deletes expired passwords, claims and updates, and old caught messages, every minute.
import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { deleteMessages } from './caught-messages.ts'
import { deleteExpired } from './passwords.ts'
import { schema } from './schema.ts'
import { deleteClaims, deleteUpdates } from './updates.ts'

/** The bot platform repeats an update for up to a day (Telegram Bot API). Doubled for safety. */
const updateRetentionMs = 2 * 86_400_000

/** Retention of stored messages of the bot on a local start. */
const messageRetentionMs = 7 * 86_400_000

const sweepBudgetMs = 20_000

/** Runs every minute: deletes expired rows in batches, for at most about `sweepBudgetMs`. */
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
