// The sweep of the deliveries, every minute: restarts deliveries that a crash interrupted, completes their deletion, and deletes
// expired ones.
import { open } from '#core/db/open'
import { describe, log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { beginDelivery, removeRow } from './deliveries.ts'
import { type DeliveryRow, deletedDeliveries, endedDeliveries, recordStatus, staleDeliveries } from './delivery-rows.ts'
import { endedCutoff } from './env.ts'
import { schema } from './schema.ts'

/** A started delivery whose ledger has sent no copy for this time is woken. An active ledger sends copies more often. */
const staleAfterMs = 180_000

/** A deletion that began longer ago was interrupted: the request that began it has ended by now. */
const requestTimeoutMs = 120_000

/** Maximum number of rows per sweep and kind. Each takes several subrequests, of which an invocation has a limited number. */
const maxPerSweep = 100

/**
 * Completes interrupted deletions, starts deliveries whose ledgers never began, and wakes ledgers that send no copies of their
 * state.
 */
export async function sweepDeliveries(env: Env, now = new Date()): Promise<void> {
  const store = open(env, schema)
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  for (const row of await deletedDeliveries(store, before(requestTimeoutMs), maxPerSweep))
    await logErrors(() => removeRow(env, row))
  for (const row of await staleDeliveries(store, before(staleAfterMs), maxPerSweep))
    await logErrors(() => revive(env, row))
}

/** Deletes ended deliveries after `DELIVERY_RETENTION`, the longest ended first. Does nothing without this variable. */
export async function sweepEnded(env: Env, now = new Date()): Promise<void> {
  const cutoff = endedCutoff(env, now)
  if (!cutoff) return
  const expired = await endedDeliveries(open(env, schema), cutoff, maxPerSweep)
  for (const row of expired) await logErrors(() => removeRow(env, row))
}

async function revive(env: Env, row: DeliveryRow): Promise<void> {
  if (row.revision === 0) return beginDelivery(env, row)
  if (await env.LEDGER.getByName(row.ledger).wake()) return
  // The ledger has no data, which must not happen. A new start would send the messages again, so the delivery is canceled.
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
