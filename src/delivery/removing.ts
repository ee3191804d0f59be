import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import type { Env } from './bindings.ts'
import { deleteDelivery, findDelivery, hideDelivery } from './deliveries.ts'
import { schema } from './schema.ts'

/** Cancels a delivery, and forgets it. */
export async function removeDelivery(env: Env, id: number): Promise<void> {
  const row = await findDelivery(open(env, schema), id)
  await env.LEDGER.getByName(row.ledger).cancel().catch(unlessOver)
  await removeRow(env, row)
}

/** One that is finished, or was never begun, has nothing to cancel. */
function unlessOver(error: unknown): void {
  if (!Failure.is(error) || !['delivery_finished', 'delivery_not_found'].includes(error.code)) throw error
}

/** It is hidden first: from then on it is never begun again, and what a crash leaves of it the sweep removes. */
export async function removeRow(env: Env, { id, ledger }: { id: number; ledger: string }): Promise<void> {
  const store = open(env, schema)
  await hideDelivery(store, id, new Date())
  await env.LEDGER.getByName(ledger).destroy()
  await deleteDelivery(store, id)
}
