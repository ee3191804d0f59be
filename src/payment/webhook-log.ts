import { desc, eq } from 'drizzle-orm'
import type { PaymentStore } from './schema.ts'

/** An attempt to tell the operator of a payment. */
type Attempt = Omit<PaymentStore['webhooks']['$inferInsert'], 'id'>

/** Notes an attempt; one that was acknowledged completes the payment. */
export async function noteAttempt(store: PaymentStore, attempt: Attempt, isAcknowledged: boolean): Promise<void> {
  const { db, webhooks } = store
  const noted = db.insert(webhooks).values(attempt)
  if (isAcknowledged) await db.batch([noted, completion(store, attempt.transaction_id)])
  else await noted
}

/** Completes a payment that there is nobody to tell of. */
export async function completeTransaction(store: PaymentStore, id: number): Promise<void> {
  await completion(store, id)
}

const completion = ({ db, transactions }: PaymentStore, id: number) =>
  db.update(transactions).set({ status: 1 }).where(eq(transactions.id, id))

const most = 100

/** The last attempts of a payment, the newest first. */
export const listAttempts = ({ db, webhooks }: PaymentStore, transaction: number) =>
  db.select().from(webhooks).where(eq(webhooks.transaction_id, transaction)).orderBy(desc(webhooks.id)).limit(most)
