import { open } from '#core/db/open'
import { notConfigured } from '#core/failure'
import type { Env } from './bindings.ts'
import type { TransactionOf } from './contract.ts'
import { webhookUrlOf } from './env.ts'
import { schema } from './schema.ts'
import { findTransaction } from './transactions.ts'
import { listAttempts } from './webhook-log.ts'

/** A payment with its attempts; 404 where there is none. */
export async function readTransaction(env: Env, by: TransactionOf) {
  const store = open(env, schema)
  const row = await findTransaction(store, by)
  const [webhooks, next] = await Promise.all([listAttempts(store, row.id), webhookOf(env, row.id).nextAt()])
  return { ...row, webhooks, next_webhook_at: next === undefined ? null : new Date(next) }
}

/** A little longer than an attempt may take. */
const patience = 20_000

/**
 * Sends the webhook of a payment again, now, and returns the payment when the attempt is over; 503 without a webhook URL.
 * `markPointOfNoReturn` is called before the webhook is sent.
 */
export async function tellAgain(env: Env, by: TransactionOf, markPointOfNoReturn: () => Promise<void>) {
  if (!webhookUrlOf(env)) throw notConfigured('Set PAYMENT_WEBHOOK_URL, to which webhooks are sent.')
  const { id } = await findTransaction(open(env, schema), by)
  await markPointOfNoReturn()
  await webhookOf(env, id).again(id, patience)
  return readTransaction(env, { id })
}

const webhookOf = ({ WEBHOOK }: Env, id: number) => WEBHOOK.getByName(String(id))
