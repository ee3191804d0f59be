// Prometheus metrics of the payment component: webhook attempts, and payments that wait for acknowledgement.
import { eq } from 'drizzle-orm'
import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import { counter, type Gauge } from '#core/metrics/families'
import { schema } from './schema.ts'

/** Counts webhook attempts. */
export const countWebhook = counter(
  'quartermaster_payment_webhooks_total',
  'Webhook attempts, by the class of the response status, timeout or unreachable.',
)

/** Maximum number of payments that the gauge counts, so that its query stays cheap. */
const maxCounted = 1_000

/** Gauge of payments that the merchant has not acknowledged. */
export async function gauges(env: DatabaseEnv): Promise<Gauge[]> {
  const { db, transactions } = open(env, schema)
  const { id, status } = transactions
  const pending = await db.select({ id }).from(transactions).where(eq(status, 0)).limit(maxCounted)
  return [
    {
      name: 'quartermaster_payment_pending',
      help: `Payments that the merchant has not acknowledged; at most ${maxCounted} are counted.`,
      samples: [{ value: pending.length }],
    },
  ]
}
