import { and, eq, sql } from 'drizzle-orm'
import { open } from '#core/db/open'
import { counter, type Gauge } from '#core/metrics/families'
import { Status } from './contract.ts'
import type { Env } from './env.ts'
import { schema } from './schema.ts'

/** Counts what came of a message that was to be sent. */
export const countMessage = counter(
  'quartermaster_delivery_messages_total',
  'Messages that were to be sent, by what came of it: sent, skipped, failed, unknown, or again where it is tried later.',
)

/** How many deliveries of a status are counted at the most. */
const most = 1_000

/** How many deliveries there are, by status. */
export async function gauges(env: Env): Promise<Gauge[]> {
  const { db, deliveries } = open(env, schema)
  const { id, status, is_removed } = deliveries
  const counted = Status.options.map(async (name) => {
    const found = db
      .select({ id })
      .from(deliveries)
      .where(and(eq(status, name), eq(is_removed, false)))
      .limit(most)
      .as('found')
    const [row] = await db.select({ n: sql<number>`count(*)` }).from(found)
    return { labels: { status: name }, value: Number(row!.n) }
  })
  const help = `Deliveries, by status; ${most} of each at most.`
  return [{ name: 'quartermaster_delivery_deliveries', help, samples: await Promise.all(counted) }]
}
