import { open } from '#core/db/open'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { type DeliveryRow, hiddenDeliveries, keepTold, silentDeliveries } from './deliveries.ts'
import { removeRow } from './removing.ts'
import { schema } from './schema.ts'
import { begin } from './starting.ts'

/** A ledger that goes on is heard of more often than so, in milliseconds. */
const silence = 180_000

/** A request that starts or removes a delivery is over after so long. */
const patience = 120_000

/** What one sweep does at the most: each is several requests. */
const most = 100

/** Takes up what a crash left: deliveries that were put down and never begun, or not quite removed, and ledgers that are silent. */
export async function sweepDeliveries(env: Env, now = new Date()): Promise<void> {
  const store = open(env, schema)
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  for (const row of await hiddenDeliveries(store, before(patience), most)) await attempt(() => removeRow(env, row))
  for (const row of await silentDeliveries(store, before(silence), most)) await attempt(() => revive(env, row))
}

async function revive(env: Env, row: DeliveryRow): Promise<void> {
  if (row.revision === 0) return begin(env, row)
  if (await env.LEDGER.getByName(row.ledger).wake()) return
  // Its books are lost: whoever was sent to would be sent to again.
  log('error', { component: 'delivery', route: 'sweep', delivery: row.id, error: 'its ledger is gone' })
  const { revision, progress } = row
  const now = new Date()
  await keepTold(
    open(env, schema),
    row.ledger,
    { status: 'canceled', is_paused: false, ...notHeld, progress, revision, updated_at: now },
    now,
  )
}

const notHeld = { held_reason: null, next_attempt_at: null }

const attempt = (work: () => Promise<void>) =>
  work().catch((error: unknown) => log('error', { component: 'delivery', route: 'sweep', ...describe(error) }))
