import { and, eq, inArray, lt } from 'drizzle-orm'
import { affectedRows, open } from '#core/db/open'
import { deleteInBatches, rowsPerBatch, type SweepBudget, sweepBudget } from '#core/db/retention'
import type { Env } from './bindings.ts'
import type { SmsState } from './contract.ts'
import { retentionOf } from './env.ts'
import { applyPendingReceipts } from './receipts.ts'
import { type SmsStore, schema } from './schema.ts'

/**
 * The sweep of the SMS gateway, every minute: settles messages that a crash interrupted, applies pending receipts and deletes
 * old messages.
 */
export async function sweepMessages(env: Env, now = new Date(), budget = sweepBudget()): Promise<void> {
  const sms = open(env, schema)
  await settleInterrupted(sms, budget, now)
  await applyPendingReceipts(sms, now, budget)
  await deleteExpired(sms, budget, new Date(now.getTime() - retentionOf(env)))
}

/** A message in progress that has not changed for this long belongs to a request that crashed. Requests take less time. */
const staleAfterMs = 300_000

/**
 * Settles the messages of crashed requests. A message that was being sent may have been sent (`unknown`); a queued one was not
 * (`failed`).
 */
async function settleInterrupted({ db, messages }: SmsStore, budget: SweepBudget, now: Date): Promise<void> {
  const isStale = lt(messages.updated_at, new Date(now.getTime() - staleAfterMs))
  const settle = (state: SmsState, result: { state: SmsState; reason: string; provider?: null }) =>
    deleteInBatches(budget, async () => {
      const isInterrupted = and(eq(messages.state, state), isStale)
      const ids = db
        .select({ id: messages.id })
        .from(messages)
        .where(isInterrupted)
        .orderBy(messages.id)
        .limit(rowsPerBatch)
      const settled = await db
        .update(messages)
        .set({ ...result, updated_at: now })
        .where(and(inArray(messages.id, ids), isInterrupted))
      return affectedRows(settled)
    })
  await settle('sending', { state: 'unknown', reason: 'interrupted' })
  await settle('queued', { state: 'failed', reason: 'not_attempted', provider: null })
}

/** Batches of old messages that one sweep deletes: more messages than a gateway sends in a minute. */
const maxDeleteBatches = 100

/** Deletes messages created before `horizon`, oldest first. The next sweep deletes those for which the budget is too small. */
async function deleteExpired({ db, messages }: SmsStore, budget: SweepBudget, horizon: Date): Promise<void> {
  // Ids are in the order of creation, so the order of ids replaces an index on `created_at`.
  const oldest = db
    .select({ id: messages.id, created_at: messages.created_at })
    .from(messages)
    .orderBy(messages.id)
    .limit(rowsPerBatch)
    .as('oldest')
  const expired = db.select({ id: oldest.id }).from(oldest).where(lt(oldest.created_at, horizon))
  await deleteInBatches(
    budget,
    async () => affectedRows(await db.delete(messages).where(inArray(messages.id, expired))),
    maxDeleteBatches,
  )
}
