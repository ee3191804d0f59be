// The sweep of the one-time passwords, every minute: deletes expired passwords, claims and updates, and old caught messages.
import { open } from '#core/db/open'
import { deleteInBatches, sweepBudget } from '#core/db/retention'
import type { Env } from './bindings.ts'
import { deleteMessages } from './caught-messages.ts'
import { retentionOf } from './env.ts'
import { deleteExpired } from './passwords.ts'
import { schema } from './schema.ts'
import { deleteClaims, deleteUpdates } from './updates.ts'

/** Batches that one sweep deletes from each table. Together, the tables may use up the budget. */
const maxBatches = 50

/** Deletes expired rows in batches. The next sweep deletes those for which the budget is too small. */
export async function sweepPasswords(env: Env, budget = sweepBudget()): Promise<void> {
  const otp = open(env, schema)
  const now = new Date()
  const { updatesMs, messagesMs } = retentionOf(env)
  const deletions = [
    () => deleteExpired(otp, now),
    () => deleteClaims(otp, now),
    () => deleteUpdates(otp, new Date(now.getTime() - updatesMs)),
    () => deleteMessages(otp, new Date(now.getTime() - messagesMs)),
  ]
  for (const deleteBatch of deletions) await deleteInBatches(budget, deleteBatch, maxBatches)
}
