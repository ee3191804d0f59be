import { and, eq, inArray, lt } from 'drizzle-orm'
import { affectedRows, open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { retentionOf } from './env.ts'
import { applyPendingReceipts } from './receipts.ts'
import { type SmsStore, schema } from './schema.ts'

/**
 * The sweep of the SMS gateway, every minute: settles messages that a crash interrupted, applies pending receipts and deletes
 * old messages.
 */
export async function sweepMessages(env: Env, now = new Date()): Promise<void> {
  const sms = open(env, schema)
  await settleInterrupted(sms, new Date(now.getTime() - staleAfterMs), now)
  await applyPendingReceipts(sms, now)
  await deleteExpired(sms, new Date(now.getTime() - retentionOf(env)))
}

/** A message in progress that has not changed for this long belongs to a request that crashed. Requests take less time. */
const staleAfterMs = 300_000

/**
 * Settles the messages of crashed requests. A message that was being sent may have been sent (`unknown`); a queued one was not
 * (`failed`).
 */
async function settleInterrupted({ db, messages }: SmsStore, before: Date, now: Date): Promise<void> {
  const isStale = lt(messages.updated_at, before)
  await db
    .update(messages)
    .set({ state: 'unknown', reason: 'interrupted', updated_at: now })
    .where(and(eq(messages.state, 'sending'), isStale))
  await db
    .update(messages)
    .set({ state: 'failed', reason: 'not_attempted', provider: null, updated_at: now })
    .where(and(eq(messages.state, 'queued'), isStale))
}

const rowsPerDelete = 1_000
const deleteBudgetMs = 30_000

/** Deletes messages created before `horizon`, oldest first, for at most `deleteBudgetMs`. The next sweep deletes the rest. */
async function deleteExpired({ db, messages }: SmsStore, horizon: Date): Promise<void> {
  const end = Date.now() + deleteBudgetMs
  // Ids are in the order of creation, so the order of ids replaces an index on `created_at`.
  const oldest = db
    .select({ id: messages.id, created_at: messages.created_at })
    .from(messages)
    .orderBy(messages.id)
    .limit(rowsPerDelete)
    .as('oldest')
  const expired = db.select({ id: oldest.id }).from(oldest).where(lt(oldest.created_at, horizon))
  let deleted = rowsPerDelete
  while (deleted === rowsPerDelete && Date.now() < end)
    deleted = affectedRows(await db.delete(messages).where(inArray(messages.id, expired)))
}
