// Log of webhook attempts. An acknowledged attempt also completes its payment.
import { and, desc, eq, sql } from 'drizzle-orm'
import type { PaymentStore } from './schema.ts'

/** One attempt to deliver the webhook of a payment. */
type Attempt = Omit<PaymentStore['webhooks']['$inferInsert'], 'id'>

/**
 * Logs an attempt, unless its payment was erased while the request was being sent. An acknowledged one also completes the payment, in
 * the same batch.
 */
export async function addAttempt(store: PaymentStore, attempt: Attempt, isAcknowledged: boolean): Promise<void> {
  const { db, webhooks } = store
  const id = attempt.transaction_id
  const log = [lock(store, id), db.insert(webhooks).values(attempt), deleteOrphans(store, id)] as const
  if (isAcknowledged) await db.batch([...log, completion(store, id)])
  else await db.batch(log)
}

/** Locks the payment on Postgres, so that an erasure waits for the batch. D1 runs one batch at a time and needs no lock. */
const lock = ({ dialect, run, transactions }: PaymentStore, id: number) =>
  run(dialect === 'd1' ? sql`SELECT 1` : sql`SELECT 1 FROM ${transactions} WHERE ${transactions.id} = ${id} FOR UPDATE`)

const deleteOrphans = ({ db, webhooks, transactions }: PaymentStore, id: number) =>
  db
    .delete(webhooks)
    .where(
      and(
        eq(webhooks.transaction_id, id),
        sql`NOT EXISTS (SELECT 1 FROM ${transactions} WHERE ${transactions.id} = ${id})`,
      ),
    )

/** Completes a payment without a webhook, because no webhook URL is set. */
export async function completeTransaction(store: PaymentStore, id: number): Promise<void> {
  await completion(store, id)
}

const completion = ({ db, transactions }: PaymentStore, id: number) =>
  db.update(transactions).set({ status: 1 }).where(eq(transactions.id, id))

const maxListedAttempts = 100

/** The last 100 attempts of a payment, the newest first. */
export const listAttempts = ({ db, webhooks }: PaymentStore, transaction: number) =>
  db
    .select()
    .from(webhooks)
    .where(eq(webhooks.transaction_id, transaction))
    .orderBy(desc(webhooks.id))
    .limit(maxListedAttempts)
