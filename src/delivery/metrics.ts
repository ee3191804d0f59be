// Metrics of the deliveries: messages by outcome, and deliveries by status.
import { and, eq, sql } from 'drizzle-orm'
import { open } from '#core/db/open'
import { counter, type Gauge } from '#core/metrics/families'
import type { Env } from './bindings.ts'
import { DeliveryStatus } from './contract.ts'
import { isShown } from './delivery-rows.ts'
import { type DeliveryStore, schema } from './schema.ts'

export const countMessage = counter(
  'quartermaster_delivery_messages_total',
  'Messages by outcome: sent, skipped, failed, unknown; again, held and pending if the message is tried later.',
)

/** Maximum number of rows that the gauge of one status counts, so that a scrape stays cheap. */
const maxCounted = 1_000

/** The gauges of the metrics page: number of deliveries by status, at most `maxCounted` each. */
export async function gauges(env: Env): Promise<Gauge[]> {
  const store = open(env, schema)
  const counted = DeliveryStatus.options.map(async (status) => {
    const [row] = await countOf(store, status)
    return { labels: { status }, value: Number(row!.n) }
  })
  const help = `Deliveries, by status; at most ${maxCounted} of each.`
  return [{ name: 'quartermaster_delivery_deliveries', help, samples: await Promise.all(counted) }]
}

/** Query that counts the deliveries with a status, up to `maxCounted`. */
export function countOf({ db, deliveries }: DeliveryStore, status: DeliveryStatus) {
  const { id } = deliveries
  const condition = and(eq(deliveries.status, status), isShown(deliveries))
  const found = db.select({ id }).from(deliveries).where(condition).limit(maxCounted).as('found')
  return db.select({ n: sql<number>`count(*)` }).from(found)
}
