import { and, eq, sql } from 'drizzle-orm'
import { open } from '#core/db/open'
import { counter, type Gauge } from '#core/metrics/families'
import type { Env } from './bindings.ts'
import { DeliveryStatus } from './contract.ts'
import { isShown } from './deliveries.ts'
import { type DeliveryStore, schema } from './schema.ts'

/** Counts what came of a message that was to be sent. */
export const countMessage = counter(
  'quartermaster_delivery_messages_total',
  'Messages that were to be sent, by what came of it: sent, skipped, failed, unknown, or again, held and pending if it is tried later.',
)

/** How many deliveries of a status are counted at the most. */
const most = 1_000

/** How many deliveries there are, by status. */
export async function gauges(env: Env): Promise<Gauge[]> {
  const store = open(env, schema)
  const counted = DeliveryStatus.options.map(async (status) => {
    const [row] = await countOf(store, status)
    return { labels: { status }, value: Number(row!.n) }
  })
  const help = `Deliveries, by status; ${most} of each at most.`
  return [{ name: 'quartermaster_delivery_deliveries', help, samples: await Promise.all(counted) }]
}

/** How many deliveries of a status there are, as a query. */
export function countOf({ db, deliveries }: DeliveryStore, status: DeliveryStatus) {
  const { id } = deliveries
  const chosen = and(eq(deliveries.status, status), isShown(deliveries))
  const found = db.select({ id }).from(deliveries).where(chosen).limit(most).as('found')
  return db.select({ n: sql<number>`count(*)` }).from(found)
}
