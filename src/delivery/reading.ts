import { open } from '#core/db/open'
import type { Env } from './bindings.ts'
import type { DeliveryStatus, Failures, Pieces, Report } from './contract.ts'
import { type DeliveryRow, findDelivery } from './deliveries.ts'
import { noHold, type View } from './ledger/turn.ts'
import { schema } from './schema.ts'

/** A delivery, and where it stands by the counters of its ledger. */
export async function readDelivery(env: Env, id: number) {
  const row = await findDelivery(open(env, schema), id)
  const view = (await env.LEDGER.getByName(row.ledger).view()) ?? notBegun(row)
  return { ...row, ...view }
}

/** What SQL knows of one whose ledger has nothing yet. */
const notBegun = ({ status, is_paused, progress }: DeliveryRow): View => ({
  status: status as DeliveryStatus,
  paused: is_paused,
  ...noHold,
  progress,
  report: { pieces: { total: 0, processed: 0, failed: 0 }, recipients: 0, email: none(), sms: none(), feed: none() },
})

const none = (): Report['email'] => ({
  ...{ queued: 0, sending: 0, sent: 0, skipped: 0, failed: 0, unknown: 0 },
  reasons: {},
})

/** Messages of a delivery that failed, or of which nobody knows. */
export async function readFailures(env: Env, { id, ...asked }: Failures) {
  const { ledger } = await findDelivery(open(env, schema), id)
  return env.LEDGER.getByName(ledger).listFailures(asked)
}

/** Pieces of a delivery that were asked for. */
export async function readPieces(env: Env, { id, ...asked }: Pieces) {
  const { ledger } = await findDelivery(open(env, schema), id)
  return { pieces: await env.LEDGER.getByName(ledger).listPieces(asked) }
}
