import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { peerFailed } from '#core/outgoing/peer-failed'
import type { Env } from './bindings.ts'
import type { Changes, Retried, Retry } from './contract.ts'
import { findDelivery } from './deliveries.ts'
import { schema } from './schema.ts'
import { begin } from './starting.ts'
import { checkTexts } from './texts.ts'

/** Changes what is still to be sent. */
export async function changeDelivery(env: Env, changes: Changes): Promise<void> {
  const ledger = await ledgerOf(env, changes.id)
  checkTexts(changes)
  await ledger.amend(changes)
}

/** Ends a delivery at once. */
export const cancelDelivery = async (env: Env, id: number): Promise<void> => (await ledgerOf(env, id)).cancel()

/** Lets nothing more be sent, or lets it go on. */
export const pauseDelivery = async (env: Env, id: number, isPaused: boolean): Promise<void> =>
  (await ledgerOf(env, id)).pause(isPaused)

/** Reopens a finished delivery for what was not sent. */
export const retryDelivery = async (env: Env, { id, ...asked }: Retry): Promise<Retried> =>
  (await ledgerOf(env, id)).retry(asked)

/** The ledger of a delivery, which has begun by then. */
async function ledgerOf(env: Env, id: number) {
  const row = await findDelivery(open(env, schema), id)
  if (row.revision === 0) await begin(env, row).catch(rethrow)
  return env.LEDGER.getByName(row.ledger)
}

/** The queue refuses tasks that the caller knows nothing of. The delivery may have been deleted meanwhile. */
function rethrow(error: unknown): never {
  if (Failure.is(error) && error.code === 'delivery_not_found') throw error
  throw peerFailed(error, 'queue', 'The queue did not take the delivery.', { passed: [504] })
}
