import { eq } from 'drizzle-orm'
import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import { counter, type Gauge } from '#core/metrics/families'
import { schema } from './schema.ts'

/** Counts an attempt to tell the operator of a payment. */
export const countWebhook = counter(
  'quartermaster_payment_webhooks_total',
  'Attempts to tell the operator of a payment, by the class of the status that it answered with, timeout or unreachable.',
)

/** How many payments are counted at the most. */
const most = 1_000

/** How many payments the operator has not acknowledged. */
export async function gauges(env: DatabaseEnv): Promise<Gauge[]> {
  const { db, transactions } = open(env, schema)
  const { id, status } = transactions
  const pending = await db.select({ id }).from(transactions).where(eq(status, 0)).limit(most)
  return [
    {
      name: 'quartermaster_payment_pending',
      help: `Payments that the operator has not acknowledged; ${most} at most.`,
      samples: [{ value: pending.length }],
    },
  ]
}
