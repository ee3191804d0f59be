import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { requestIdHeaders, withRequestId } from '#core/http/request-id'
import { formatTime } from '#core/http/time'
import { classOf } from '#core/metrics/families'
import { call, type FetchedResponse } from '#core/outgoing/call'
import { messageHeaders } from '#core/outgoing/standard-webhooks'
import type { PaymentVariables } from './env.ts'
import { signingKeysOf, webhookUrlOf } from './env.ts'
import { longestNumber, maskBody, maskUrl } from './masking/mask.ts'
import { countWebhook } from './metrics.ts'
import { schema, type TransactionRow } from './schema.ts'
import { knownTransaction } from './transactions.ts'
import { completeTransaction, noteAttempt } from './webhook-log.ts'

/** What is done when the request leaves, and when its answer is there, before that is written down. */
interface Steps {
  sent(): void
  answered(): void
}

/**
 * Tells the operator of a payment, unless it has been told, or is to be told again. Says whether that is done with: the
 * answer was 200 or 201, or there is nobody to tell.
 */
export async function tellOperator(
  env: DatabaseEnv & PaymentVariables,
  { transaction, again }: { transaction: number; again: boolean },
  { sent, answered }: Steps,
): Promise<boolean> {
  const store = open(env, schema)
  const row = await knownTransaction(store, { id: transaction })
  if (!row || (row.status === 1 && !again)) return true
  const url = webhookUrlOf(env)
  if (!url) {
    await completeTransaction(store, transaction)
    return true
  }
  const created_at = new Date()
  const request_body = bodyOf(row)
  const id = await webhookId(row)
  const answer = await withRequestId(row.request_id, () => post(env, url, { id, body: request_body, sent }))
  answered()
  const isAcknowledged = answer.response_status === 200 || answer.response_status === 201
  const duration_ms = Date.now() - created_at.getTime()
  const asked = { url: maskUrl(url), request_body: maskBody(request_body) }
  const attempt = { transaction_id: transaction, ...asked, created_at, duration_ms, ...answer }
  await noteAttempt(store, attempt, isAcknowledged)
  return isAcknowledged
}

const bodyOf = ({ id, account, code, sum, created_at, is_test }: TransactionRow) =>
  JSON.stringify({
    ...{ id: String(id), account, code, sum, created_at: formatTime(created_at) },
    ...(is_test && { is_test }),
  })

/** The same for each copy, and for no other payment anywhere: ids begin anew with another database. */
async function webhookId({ id, code, created_at }: TransactionRow): Promise<string> {
  const named = new TextEncoder().encode(`${id}\n${created_at.getTime()}\n${code}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', named))
  return `payment_${id}_${digest.toHex().slice(0, 16)}`
}

const longestAnswer = 4_000

async function post(
  env: DatabaseEnv & PaymentVariables,
  url: string,
  { id, body, sent }: { id: string; body: string } & Pick<Steps, 'sent'>,
) {
  const signed = await messageHeaders(id, body, signingKeysOf(env), Date.now())
  const headers = { 'content-type': 'application/json', ...requestIdHeaders(), ...signed }
  try {
    // A redirect that would lose the body or the signature is not followed: it is the answer, and no acknowledgement.
    const limits = { most: 4 * longestAnswer, redirects: 'same' } as const
    const called = call(env, { method: 'POST', url, headers, body }, limits)
    sent()
    const answer = await called
    countWebhook({ outcome: classOf(answer.status) })
    return { response_status: answer.status, response_body: textOf(answer), error: null }
  } catch (error) {
    if (!Failure.is(error)) throw error
    countWebhook({ outcome: error.code === 'upstream_timeout' ? 'timeout' : 'unreachable' })
    return { response_status: null, response_body: null, error: error.message }
  }
}

/** The beginning of an answer, without card data and credentials. */
function textOf({ body, isTruncated }: FetchedResponse): string {
  const text = new TextDecoder().decode(body)
  const masked = maskBody(isTruncated ? text.slice(0, -longestNumber) : text)
  return masked.slice(0, longestAnswer).replaceAll('\0', '\u2400').toWellFormed()
}
