// The HTTP API of the payment component: the processor's notifications, the merchant's list of payments, and the card page.
import * as z from 'zod'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { checkConfiguration } from './env.ts'
import { errors } from './errors.ts'
import { gauges } from './metrics.ts'
import { answerCheck, answerPay } from './notification-handler.ts'
import { isProcessor } from './notification-hmac.ts'
import { cardPage } from './page/card-page.ts'
import { CardPage } from './page/contract.ts'
import { errorPage } from './page/error-page.ts'
import { schema } from './schema.ts'
import { readTransaction, resendWebhook } from './transaction-webhooks.ts'
import { listTransactions } from './transactions.ts'

const checkDescription = `The processor calls this operation before it charges the card. If \`PAYMENT_CHECK_URL\` is set, the component \
sends GET with the parameter \`account\` to this URL: a status other than 200 gives code 11, and no response gives code 13. \
No payment is stored; the request is logged. The reply has no envelope.`

const payDescription = `The processor calls this operation after it has charged the card. The component stores the payment and sends the \
webhook to the merchant. A repeat of a stored payment gets code 0 and changes nothing; code 12 means that its amount or currency \
differs from the stored payment, code 11 that its account does. A notification without \`Status\`, or with \`Reason\` or \
\`ReasonCode\`, reports no payment: it is logged and gets code 13, and the merchant gets no webhook.`

export const payment = api<Env, keyof typeof errors>({
  name: 'payment',
  errors,
  title: 'Payments',
  description: `Card payments through a processor that uses the CloudPayments protocol. The processor calls \`/check\` before it charges \
the card, and \`/pay\` after that. The component asks the merchant at PAYMENT_CHECK_URL whether an account exists, and sends each payment \
as a webhook to PAYMENT_WEBHOOK_URL until the merchant responds with 200 or 201. The first attempt is immediate; retries follow after \
10 seconds, 1 minute, 5 minutes and 15 minutes, then every hour without end. First attempts start in the order in which payments arrived, \
up to 16 at a time. All attempts of a payment have the same \`webhook-id\`. With PAYMENT_SIGNING_SECRET, webhooks are signed as the \
Standard Webhooks specification describes. Requests are stored in payment_http_log and webhooks in payment_webhook_log for \
PAYMENT_LOG_DAYS days, without card data and credentials. Of unauthenticated requests, at most PAYMENT_LOG_STRANGERS per hour are stored.`,
  probes: (env) => ({ database: async () => ping(env) }),
  gauges,
  prepare: async (env) => checkConfiguration(env),
})
  .get('/check', notification('read', 'Check whether a payment may be made', checkDescription), (request) =>
    answerCheck(request),
  )

  .post('/check', notification('read', 'Check whether a payment may be made (POST)', checkDescription), (request) =>
    answerCheck(request),
  )

  .get('/pay', { ...notification('write', 'Record a payment', payDescription), adds: true }, (request) =>
    answerPay(request),
  )

  .post('/pay', { ...notification('write', 'Record a payment (POST)', payDescription), adds: true }, (request) =>
    answerPay(request),
  )

  .getOrPost(
    '/transactions',
    {
      level: 'read',
      summary: 'List payments',
      description: `Returns payments in descending order of \`id\`, so the newest come first. Without filters, all payments are listed; \
with several filters, a payment must match all of them.`,
      params: wire.TransactionsOf,
      reply: { transactions: z.array(wire.Transaction).describe('Payments, the newest first'), nb_results },
    },
    ({ env, params }) => listTransactions(open(env, schema), params),
  )

  .get(
    '/transaction',
    {
      level: 'read',
      summary: 'Read a payment with its webhook attempts',
      description: `Finds the payment by \`id\` or \`code\`. If both are given, both must match. The reply has the last 100 webhook \
attempts and the time of the next one.`,
      params: wire.TransactionOf,
      reply: { transaction: wire.TransactionWithWebhooks },
      errors: ['transaction_not_found'],
    },
    async ({ env, params }) => ({ transaction: await readTransaction(env, params) }),
  )

  .post(
    '/transaction/webhook',
    {
      level: 'write',
      summary: 'Resend the webhook of a payment',
      description: `Sends the webhook now, with the \`webhook-id\` of the earlier attempts, even if the merchant has already \
acknowledged the payment. Finds the payment by \`id\` or \`code\`; if both are given, both must match. The operation waits for the \
merchant's response (up to 15 seconds) and returns the payment; the result of the attempt is the first item of \`webhooks\`. If the \
attempt fails, retries start again from the beginning of the schedule (10 seconds, 1 minute and so on). While an attempt is in \
progress, the reply is 409 \`webhook_processing\`. A failed attempt still gets 200 and does not change \`status\`: \`next_webhook_at\` is the time of the retry. Without \
PAYMENT_WEBHOOK_URL the reply is 503 \`not_configured\`; on a local start the webhook then goes to the catcher at /payments.`,
      params: wire.TransactionOf,
      reply: { transaction: wire.TransactionWithWebhooks },
      errors: ['transaction_not_found', 'webhook_processing'],
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, markPointOfNoReturn }) => ({
      transaction: await resendWebhook(env, params, markPointOfNoReturn),
    }),
  )

  .get('/pub/card', hostedPage('Show the card payment page'), (call) => cardPage(call))

  .get('/_payments_/pub/card', hostedPage('Show the card payment page (alternative path)'), (call) => cardPage(call))

/** Declaration of an operation that the processor calls with a notification, as a query, a form or JSON. The handler parses the fields. */
function notification(level: 'read' | 'write', summary: string, details: string) {
  return {
    level,
    summary,
    description: `${details} The processor sends the fields in the query, or in the body as a form or JSON, encoded in UTF-8. With a \
body, the query is ignored. \`TransactionId\`, \`Amount\` and \`AccountId\` are required; a missing, malformed or repeated field gets \
code 10. All other fields are allowed and ignored. The reply is always 200 with a \`code\`, if the caller is authenticated. With \
PAYMENT_API_SECRET, one of the two HMAC headers must match, otherwise the reply is 401. Without PAYMENT_API_SECRET, callers \
authenticate with the API token.`,
    fields: wire.NotificationFields,
    headers: {
      'Content-HMAC': {
        description:
          'HMAC-SHA256 of the query or body exactly as sent, in base64. The key is PAYMENT_API_SECRET. One matching header of the two is enough',
      },
      'X-Content-HMAC': {
        description:
          'HMAC-SHA256 of the URL-decoded query or body, in base64. The key is PAYMENT_API_SECRET. One matching header of the two is enough',
      },
    },
    reply: { code: wire.Code },
    envelope: 'none' as const,
    consumes: true as const,
    proof: isProcessor,
    provenBy: 'the HMAC of the processor, which is required if `PAYMENT_API_SECRET` is set',
  }
}

/** Declaration of the page to which the merchant sends the payer. */
function hostedPage(summary: string) {
  return {
    summary,
    description: `An HTML page in the payer's language that shows the amount, the purpose and the recipient of the payment, with a button \
that opens the processor's card form. Only the processor gets the card data. After the payment, the page redirects the payer to \
\`success_url\` or \`fail_url\`. No authentication is required. If a parameter is not valid, the reply is an HTML page with status 400 \
that says so; without PAYMENT_PUBLIC_ID, the page has status 503. A client address may open the page 60 times a minute; then the \
page has status 429, except on a local start.`,
    params: CardPage,
    produces: 'text/html',
    open: true as const,
    addressLimit: true as const,
    refused: errorPage,
  }
}
