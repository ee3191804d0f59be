// Log of webhook attempts. An acknowledged attempt also completes its payment.
import { desc, eq } from 'drizzle-orm'
import type { PaymentStore } from './schema.ts'

/** One attempt to deliver the webhook of a payment. */
type Attempt = Omit<PaymentStore['webhooks']['$inferInsert'], 'id'>

/** Logs an attempt. An acknowledged one also completes the payment, in the same batch. */
export async function addAttempt(store: PaymentStore, attempt: Attempt, isAcknowledged: boolean): Promise<void> {
  const { db, webhooks } = store
  const insert = db.insert(webhooks).values(attempt)
  if (isAcknowledged) await db.batch([insert, completion(store, attempt.transaction_id)])
  else await insert
}

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
