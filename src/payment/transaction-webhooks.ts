// Reads a payment with its webhook attempts, and resends its webhook when a caller of the API asks for it.
import { open } from '#core/db/open'
import { notConfigured } from '#core/failure'
import type { Env } from './bindings.ts'
import type { TransactionOf } from './contract.ts'
import { webhookUrlOf } from './env.ts'
import { schema } from './schema.ts'
import { findTransaction } from './transactions.ts'
import { listAttempts } from './webhook-log.ts'

/** A payment with its webhook attempts. Throws 404 if there is no such payment. */
export async function readTransaction(env: Env, by: TransactionOf) {
  const store = open(env, schema)
  const row = await findTransaction(store, by)
  const [webhooks, next] = await Promise.all([listAttempts(store, row.id), webhookOf(env, row.id).nextAt()])
  return { ...row, webhooks, next_webhook_at: next === undefined ? null : new Date(next) }
}

/** How long a resend waits for its attempt to finish: longer than the 15 seconds after which an attempt times out. */
const maxAttemptWaitMs = 20_000

/**
 * Resends the webhook of a payment now, and returns the payment when the attempt has finished. Throws 404 if there is no such
 * payment, and 503 without a webhook URL. `commit` marks the point of no return: called right before the webhook is sent.
 */
export async function resendWebhook(env: Env, by: TransactionOf, commit: () => Promise<void>) {
  if (!webhookUrlOf(env))
    throw notConfigured('Set PAYMENT_WEBHOOK_URL to the URL that receives the webhooks of payments.')
  const { id } = await findTransaction(open(env, schema), by)
  await commit()
  await webhookOf(env, id).resend(id, maxAttemptWaitMs)
  return readTransaction(env, { id })
}

const webhookOf = ({ WEBHOOK }: Env, id: number) => WEBHOOK.getByName(String(id))
