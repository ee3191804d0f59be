// The operations on deliveries that the API has: start, copy, change, pause, cancel, retry and delete. Each calls the
// delivery's ledger, the durable object that does the work.
import { open } from '#core/db/open'
import { Failure, invalid } from '#core/failure'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import { currentRequestId } from '#core/http/request-id'
import { peerFailed } from '#core/outgoing/peer-failed'
import { objectionTo } from '#core/outgoing/url'
import type { Env } from './bindings.ts'
import type { Failures, Pieces } from './contract/lists.ts'
import type { Changes, DeliveryStatus, NewDelivery, Report, Retried, Retry } from './contract.ts'
import { type Definition, defineDelivery } from './definition.ts'
import {
  type DeliveryRow,
  definitionOf,
  deleteDeliveryRow,
  findDelivery,
  hideDelivery,
  insertDelivery,
} from './delivery-rows.ts'
import { selfUrl } from './env.ts'
import { noHold, type View } from './ledger/view.ts'
import { schema } from './schema.ts'
import { checkTemplates } from './texts.ts'

/** Starts a new delivery. Throws 400 if a parameter, a text or `data_url` is invalid. */
export async function startDelivery(env: Env, params: NewDelivery, markPointOfNoReturn: MarkPointOfNoReturn) {
  const objection = objectionTo(params.data_url, env)
  if (objection) throw invalid('data_url', objection)
  const definition = defineDelivery(params)
  checkTemplates(definition)
  return start(env, definition, markPointOfNoReturn)
}

/** Starts another delivery with the definition of an existing one. */
export async function copyDelivery(
  env: Env,
  { id, name }: { id: number; name?: string | undefined },
  markPointOfNoReturn: MarkPointOfNoReturn,
) {
  const definition = definitionOf(await findDelivery(open(env, schema), id))
  return start(env, { ...definition, ...(name && { name }) }, markPointOfNoReturn)
}

/**
 * Stores the row before the ledger creates the queue's tasks, so that the sweep finds a start that a crash interrupted. Deletes
 * the row if the queue does not accept the tasks.
 */
async function start(env: Env, definition: Definition, markPointOfNoReturn: MarkPointOfNoReturn) {
  selfUrl(env)
  const store = open(env, schema)
  await markPointOfNoReturn()
  const row = await insertDelivery(store, definition, crypto.randomUUID(), new Date())
  try {
    await beginDelivery(env, row)
  } catch (error) {
    await removeRow(env, row)
    throw peerFailed(error, 'queue', 'The queue did not accept the delivery', { undone: true })
  }
  return readDelivery(env, row.id)
}

/** Starts the ledger of a delivery, which creates the queue's tasks. Completes an earlier start that was interrupted. */
export const beginDelivery = (env: Env, row: DeliveryRow): Promise<void> =>
  env.LEDGER.getByName(row.ledger).begin(row.ledger, definitionOf(row), currentRequestId())

/** A delivery with its present state, which the ledger computes from its counters. Throws 404 if no delivery has this id. */
export async function readDelivery(env: Env, id: number) {
  const row = await findDelivery(open(env, schema), id)
  const view = (await env.LEDGER.getByName(row.ledger).view()) ?? viewOfRow(row)
  return { ...row, ...view }
}

/** The state of a delivery whose ledger has not begun: the state of the new row, and a report with zeros. */
const viewOfRow = ({ status, is_paused, progress }: DeliveryRow): View => ({
  status: status as DeliveryStatus,
  paused: is_paused,
  ...noHold,
  progress,
  report: {
    pieces: { total: 0, processed: 0, failed: 0 },
    recipients: 0,
    ...{ email: emptyReport(), sms: emptyReport(), feed: emptyReport() },
  },
})

const emptyReport = (): Report['email'] => ({
  ...{ queued: 0, sending: 0, sent: 0, skipped: 0, failed: 0, unknown: 0 },
  reasons: {},
})

/** Lists the messages of a delivery that failed or whose outcome is unknown. */
export async function readFailures(env: Env, { id, ...filter }: Failures) {
  const { ledger } = await findDelivery(open(env, schema), id)
  return env.LEDGER.getByName(ledger).listFailures(filter)
}

/** Lists the pieces of a delivery that were requested from `data_url`. */
export async function readPieces(env: Env, { id, ...filter }: Pieces) {
  const { ledger } = await findDelivery(open(env, schema), id)
  return { pieces: await env.LEDGER.getByName(ledger).listPieces(filter) }
}

/**
 * Changes a delivery for the messages that are still to be sent. Throws 400 for texts that do not parse, 409 if the delivery
 * has ended.
 */
export async function changeDelivery(env: Env, changes: Changes): Promise<void> {
  const ledger = await ledgerOf(env, changes.id)
  checkTemplates(changes)
  await ledger.amend(changes)
}

export const cancelDelivery = async (env: Env, id: number): Promise<void> => (await ledgerOf(env, id)).cancel()

export const pauseDelivery = async (env: Env, id: number, isPaused: boolean): Promise<void> =>
  (await ledgerOf(env, id)).pause(isPaused)

export const retryDelivery = async (env: Env, { id, ...params }: Retry): Promise<Retried> =>
  (await ledgerOf(env, id)).retry(params)

/**
 * The ledger of a delivery. If a crash kept the ledger from beginning, starts it first. Throws 404 if no delivery has this id.
 */
async function ledgerOf(env: Env, id: number) {
  const row = await findDelivery(open(env, schema), id)
  if (row.revision === 0) await beginDelivery(env, row).catch(rethrow)
  return env.LEDGER.getByName(row.ledger)
}

/**
 * Replaces an error of the queue, which concerns tasks that the caller does not know, by 502 or 504. Passes 404: the delivery
 * may have been deleted meanwhile.
 */
function rethrow(error: unknown): never {
  if (Failure.is(error) && error.code === 'delivery_not_found') throw error
  throw peerFailed(error, 'queue', 'The queue did not accept the delivery.', { passed: [504] })
}

/** Cancels a delivery and deletes its row and its ledger. */
export async function removeDelivery(env: Env, id: number): Promise<void> {
  const row = await findDelivery(open(env, schema), id)
  await env.LEDGER.getByName(row.ledger).cancel().catch(ignoreEnded)
  await removeRow(env, row)
}

/**
 * Ignores the error of a cancel before a deletion: a delivery that has finished, or whose ledger never began, can be deleted
 * without a cancel.
 */
function ignoreEnded(error: unknown): void {
  if (!Failure.is(error) || !['delivery_finished', 'delivery_not_found'].includes(error.code)) throw error
}

/**
 * Deletes the row and the ledger of a delivery. Marks the row as removed first: the sweep then does not restart the delivery,
 * and completes the deletion after a crash.
 */
export async function removeRow(env: Env, { id, ledger }: { id: number; ledger: string }): Promise<void> {
  const store = open(env, schema)
  await hideDelivery(store, id, new Date())
  await env.LEDGER.getByName(ledger).destroy()
  await deleteDeliveryRow(store, id)
}
