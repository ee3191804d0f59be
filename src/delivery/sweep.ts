// Restarts or completes deliveries every minute if a crash interrupted them.
import { open } from '#core/db/open'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { beginDelivery, removeRow } from './deliveries.ts'
import { type DeliveryRow, deletedDeliveries, recordStatus, staleDeliveries } from './delivery-rows.ts'
import { schema } from './schema.ts'

/** Active ledgers send an update more often than this. */
const staleAfterMs = 180_000

/** A request that deletes a delivery has ended after this time. */
const requestTimeoutMs = 120_000

/** Each delivery takes several subrequests, of which an invocation has a limited number. */
const maxPerSweep = 100

/** Resumes deliveries that never began or are half deleted, and ledgers that send no updates. */
export async function sweepDeliveries(env: Env, now = new Date()): Promise<void> {
  const store = open(env, schema)
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  for (const row of await deletedDeliveries(store, before(requestTimeoutMs), maxPerSweep))
    await logErrors(() => removeRow(env, row))
  for (const row of await staleDeliveries(store, before(staleAfterMs), maxPerSweep))
    await logErrors(() => revive(env, row))
}

async function revive(env: Env, row: DeliveryRow): Promise<void> {
  if (row.revision === 0) return beginDelivery(env, row)
  if (await env.LEDGER.getByName(row.ledger).wake()) return
  // The ledger is lost. Starting again would send messages twice, so the delivery is canceled.
  log('error', { component: 'delivery', route: 'sweep', delivery: row.id, error: 'its ledger is gone' })
  const { revision, progress } = row
  const now = new Date()
  await recordStatus(
    open(env, schema),
    row.ledger,
    { status: 'canceled', is_paused: false, ...notHeld, progress, revision, updated_at: now },
    now,
  )
}

const notHeld = { held_reason: null, next_attempt_at: null }

const logErrors = (work: () => Promise<void>) =>
  work().catch((error: unknown) => log('error', { component: 'delivery', route: 'sweep', ...describe(error) }))
