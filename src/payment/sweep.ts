// The sweep of the payment component, which runs every minute: resumes webhooks, and deletes expired log entries.
import { inArray, lt } from 'drizzle-orm'
import { affectedRows, open } from '#core/db/open'
import { deleteInBatches, rowsPerBatch, type SweepBudget, sweepBudget } from '#core/db/retention'
import type { Env } from './bindings.ts'
import { logRetentionMsOf } from './env.ts'
import { type PaymentStore, schema } from './schema.ts'

/** Restarts the webhooks of pending payments whose alarm was lost. */
export const resumeWebhooks = ({ DISPATCHER }: Env): Promise<void> => DISPATCHER.getByName('first').resume()

/** Deletes logged requests and webhooks that are older than PAYMENT_LOG_DAYS. */
export async function deleteExpiredLogs(env: Env, now = new Date(), budget = sweepBudget()): Promise<void> {
  const store = open(env, schema)
  const cutoff = new Date(now.getTime() - logRetentionMsOf(env))
  for (const log of [store.requests, store.webhooks] as const) await deleteBefore(store, log, budget, cutoff)
}

type Log = PaymentStore['requests' | 'webhooks']

/** Batches that one sweep deletes from each log. */
const maxBatches = 50

/** Deletes the entries of a log before a time, in batches. The next sweep continues if the budget is too small. */
async function deleteBefore({ db }: PaymentStore, log: Log, budget: SweepBudget, cutoff: Date) {
  const expired = db.select({ id: log.id }).from(log).where(lt(log.created_at, cutoff)).limit(rowsPerBatch)
  const deleteBatch = async () => affectedRows(await db.delete(log).where(inArray(log.id, expired)))
  await deleteInBatches(budget, deleteBatch, maxBatches)
}
