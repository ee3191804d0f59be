// The sweep of the payment component, which runs every minute: resumes webhooks, and deletes expired log entries.
import { inArray, lt } from 'drizzle-orm'
import { affectedRows, open } from '#core/db/open'
import type { Env } from './bindings.ts'
import { logRetentionMsOf } from './env.ts'
import { type PaymentStore, schema } from './schema.ts'

/** Restarts the webhooks of pending payments whose alarm was lost. */
export const resumeWebhooks = ({ DISPATCHER }: Env): Promise<void> => DISPATCHER.getByName('first').resume()

/** Deletes logged requests and webhooks that are older than PAYMENT_LOG_DAYS. */
export async function deleteExpiredLogs(env: Env, now = new Date()): Promise<void> {
  const store = open(env, schema)
  const cutoff = new Date(now.getTime() - logRetentionMsOf(env))
  for (const log of [store.requests, store.webhooks] as const) await deleteBefore(store, log, cutoff)
}

const rowsPerDelete = 1_000
const sweepBudgetMs = 10_000

/** Deletes the entries of a log before a time, in batches. Stops after `sweepBudgetMs`; the next sweep continues. */
async function deleteBefore({ db }: PaymentStore, log: PaymentStore['requests' | 'webhooks'], cutoff: Date) {
  const end = Date.now() + sweepBudgetMs
  const expired = db.select({ id: log.id }).from(log).where(lt(log.created_at, cutoff)).limit(rowsPerDelete)
  let deleted = rowsPerDelete
  while (deleted === rowsPerDelete && Date.now() < end)
    deleted = affectedRows(await db.delete(log).where(inArray(log.id, expired)))
}
