// Sends and logs one webhook attempt of a payment. webhook-schedule.ts decides when.
import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { requestIdHeaders, withRequestId } from '#core/http/request-id'
import { formatTime } from '#core/http/time'
import { maskBody, maskUrl, maxEncodedNumberLength } from '#core/masking/mask'
import { classOf } from '#core/metrics/families'
import { call, type FetchedResponse } from '#core/outgoing/call'
import { messageHeaders } from '#core/outgoing/standard-webhooks'
import type { PaymentVariables } from './env.ts'
import { signingKeysOf, webhookUrlOf } from './env.ts'
import { countWebhook } from './metrics.ts'
import { schema, type TransactionRow } from './schema.ts'
import { lookUpTransaction } from './transactions.ts'
import { addAttempt, completeTransaction } from './webhook-log.ts'

/** Callbacks of one attempt: called when the request has left, and when the response has arrived but is not logged yet. */
interface DeliveryEvents {
  onRequestSent(): void
  onResponse(): void
}

/**
 * Sends the webhook of a payment, unless the merchant has acknowledged it and `again` is false. Returns whether the delivery is
 * complete: the merchant responded with 200 or 201, or no webhook URL is set.
 */
export async function deliverWebhook(
  env: DatabaseEnv & PaymentVariables,
  { transaction, again }: { transaction: number; again: boolean },
  { onRequestSent, onResponse }: DeliveryEvents,
): Promise<boolean> {
  const store = open(env, schema)
  const row = await lookUpTransaction(store, { id: transaction })
  if (!row || (row.status === 1 && !again)) return true
  const url = webhookUrlOf(env)
  if (!url) {
    await completeTransaction(store, transaction)
    return true
  }
  const created_at = new Date()
  const request_body = bodyOf(row)
  const id = await webhookIdOf(row)
  const response = await withRequestId(row.request_id, () => post(env, url, { id, body: request_body, onRequestSent }))
  onResponse()
  const isAcknowledged = response.response_status === 200 || response.response_status === 201
  const duration_ms = Date.now() - created_at.getTime()
  const logged = { url: maskUrl(url), request_body: maskBody(request_body) }
  const attempt = { transaction_id: transaction, ...logged, created_at, duration_ms, ...response }
  await addAttempt(store, attempt, isAcknowledged)
  return isAcknowledged
}

const bodyOf = ({ id, account, code, sum, created_at, is_test }: TransactionRow) =>
  JSON.stringify({
    ...{ id: String(id), account, code, sum, created_at: formatTime(created_at) },
    ...(is_test && { is_test }),
  })

/**
 * The `webhook-id`: stable across retries and globally unique. It contains a hash of the payment, because the ids of a new
 * database start at 1 again.
 */
async function webhookIdOf({ id, code, created_at }: TransactionRow): Promise<string> {
  const identity = new TextEncoder().encode(`${id}\n${created_at.getTime()}\n${code}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', identity))
  return `payment_${id}_${digest.toHex().slice(0, 16)}`
}

/** Characters of the merchant's response that are logged. */
const maxLoggedLength = 4_000

async function post(
  env: DatabaseEnv & PaymentVariables,
  url: string,
  { id, body, onRequestSent }: { id: string; body: string } & Pick<DeliveryEvents, 'onRequestSent'>,
) {
  const signature = await messageHeaders(id, body, signingKeysOf(env), Date.now())
  const headers = { 'content-type': 'application/json', ...requestIdHeaders(), ...signature }
  try {
    // Redirects that would lose the body or the signature are not followed: the 3xx is the response, and does not acknowledge.
    const limits = { most: 4 * maxLoggedLength, redirects: 'same' } as const
    const sent = call(env, { method: 'POST', url, headers, body }, limits)
    onRequestSent()
    const response = await sent
    countWebhook({ outcome: classOf(response.status) })
    return { response_status: response.status, response_body: textOf(response), error: null }
  } catch (error) {
    if (!Failure.is(error)) throw error
    countWebhook({ outcome: error.code === 'upstream_timeout' ? 'timeout' : 'unreachable' })
    return { response_status: null, response_body: null, error: error.message }
  }
}

/** The first characters of a response, without card data and credentials. */
function textOf({ body, isTruncated }: FetchedResponse): string {
  const text = new TextDecoder().decode(body)
  const masked = maskBody(isTruncated ? text.slice(0, -maxEncodedNumberLength) : text)
  return masked.slice(0, maxLoggedLength).replaceAll('\0', '\u2400').toWellFormed()
}
