import { open } from '#core/db/open'
import { invalid } from '#core/failure'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import { currentRequestId } from '#core/http/request-id'
import { peerFailed } from '#core/outgoing/peer-failed'
import { objectionTo } from '#core/outgoing/url'
import type { Env } from './bindings.ts'
import type { NewDelivery } from './contract.ts'
import { type Definition, defineDelivery } from './definition.ts'
import { type DeliveryRow, definitionOf, findDelivery, insertDelivery } from './deliveries.ts'
import { selfUrl } from './env.ts'
import { readDelivery } from './reading.ts'
import { removeRow } from './removing.ts'
import { schema } from './schema.ts'
import { checkTexts } from './texts.ts'

/** Starts a new delivery; 400 where it cannot be meant so. */
export async function startDelivery(env: Env, given: NewDelivery, markPointOfNoReturn: MarkPointOfNoReturn) {
  const objection = objectionTo(given.data_url, env)
  if (objection) throw invalid('data_url', objection)
  const definition = defineDelivery(given)
  checkTexts(definition)
  return start(env, definition, markPointOfNoReturn)
}

/** Starts a delivery anew, as another one. */
export async function copyDelivery(
  env: Env,
  { id, name }: { id: number; name?: string | undefined },
  markPointOfNoReturn: MarkPointOfNoReturn,
) {
  const definition = definitionOf(await findDelivery(open(env, schema), id))
  return start(env, { ...definition, ...(name && { name }) }, markPointOfNoReturn)
}

/** It is put down before the queue hears of it; where that does not take it nothing is left of it. */
async function start(env: Env, definition: Definition, markPointOfNoReturn: MarkPointOfNoReturn) {
  selfUrl(env)
  const store = open(env, schema)
  await markPointOfNoReturn()
  const row = await insertDelivery(store, definition, crypto.randomUUID(), new Date())
  try {
    await begin(env, row)
  } catch (error) {
    await removeRow(env, row)
    throw peerFailed(error, 'queue', 'The queue did not take the delivery', { undone: true })
  }
  return readDelivery(env, row.id)
}

/** Has the ledger begin, or go on where it has begun. */
export const begin = (env: Env, row: DeliveryRow): Promise<void> =>
  env.LEDGER.getByName(row.ledger).begin(row.ledger, definitionOf(row), currentRequestId())
