// The sweep of the one-time passwords, every minute: deletes expired passwords, claims and updates, and old caught messages.
import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { deleteMessages } from './caught-messages.ts'
import { retentionOf } from './env.ts'
import { deleteExpired } from './passwords.ts'
import { schema } from './schema.ts'
import { deleteClaims, deleteUpdates } from './updates.ts'

const sweepBudgetMs = 20_000

/** Deletes expired rows in batches, for about `sweepBudgetMs` at most. The next sweep deletes the rest. */
export async function sweepPasswords(env: Env): Promise<void> {
  const otp = open(env, schema)
  const now = new Date()
  const { updatesMs, messagesMs } = retentionOf(env)
  const end = now.getTime() + sweepBudgetMs
  const deletions = [
    () => deleteExpired(otp, now),
    () => deleteClaims(otp, now),
    () => deleteUpdates(otp, new Date(now.getTime() - updatesMs)),
    () => deleteMessages(otp, new Date(now.getTime() - messagesMs)),
  ]
  for (const deleteBatch of deletions) while ((await deleteBatch()) > 0 && Date.now() < end);
}
