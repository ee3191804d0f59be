import * as z from 'zod'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { checkConfiguration } from './env.ts'
import { errors } from './errors.ts'
import { gauges } from './metrics.ts'
import { CardPage } from './page/contract.ts'
import { cardPage } from './page/page.ts'
import { refusalPage } from './page/refusal.ts'
import { answerCheck, answerPay } from './paying.ts'
import { isProcessor } from './proof.ts'
import { readTransaction, tellAgain } from './reading.ts'
import { schema } from './schema.ts'
import { listTransactions } from './transactions.ts'

const asks = `Money has not moved yet. Where \`PAYMENT_CHECK_URL\` answers anything but 200 to a GET with \`account\`, the payment is \
refused with 11; where it does not answer, with 13.`

const paid = `A repeat is answered with 0, and changes nothing. 12: the amount or the currency differs from the stored payment; 11: the \
account does. A notification without \`Status\`, or with \`Reason\` or \`ReasonCode\`, reports no payment: it is logged and answered \
with 13, and the merchant gets no webhook.`

export const payment = api<Env, keyof typeof errors>({
  name: 'payment',
  errors,
  title: 'Payments',
  description: `Card payments through a processor that uses the CloudPayments protocol. The processor calls /check before it charges the \
card, and /pay after that. The component validates accounts at PAYMENT_CHECK_URL, and sends each payment as a webhook to \
PAYMENT_WEBHOOK_URL until it gets 200 or 201: at once, after 10 seconds, 1, 5 and 15 minutes, then hourly without end. First \
attempts start in the order in which payments arrived, up to 16 at a time, and retries have the same webhook-id. Webhooks are signed as \
Standard Webhooks with PAYMENT_SIGNING_SECRET. Requests are logged for PAYMENT_LOG_DAYS in payment_http_log, unauthenticated ones up to \
PAYMENT_LOG_STRANGERS an hour, and webhooks in payment_webhook_log, both without card data and credentials.`,
  probes: (env) => ({ database: async () => ping(env) }),
  gauges,
  prepare: async (env) => checkConfiguration(env),
})
  .get('/check', notification('Say whether a payment may be made', asks), (asked) => answerCheck(asked))

  .post('/check', notification('Say whether a payment may be made, by POST', asks), (asked) => answerCheck(asked))

  .get('/pay', { ...notification('Take a payment', paid), adds: true }, (asked) => answerPay(asked))

  .post('/pay', { ...notification('Take a payment, by POST', paid), adds: true }, (asked) => answerPay(asked))

  .get(
    '/transactions',
    {
      summary: 'List payments, the newest first',
      params: wire.TransactionsOf,
      reply: { transactions: z.array(wire.Transaction), nb_results },
    },
    ({ env, params }) => listTransactions(open(env, schema), params),
  )

  .get(
    '/transaction',
    {
      summary: 'Read a payment, with the attempts to tell the operator',
      description: 'By `id` or `code`, or both.',
      params: wire.TransactionOf,
      reply: { transaction: wire.TransactionWithWebhooks },
      errors: ['transaction_not_found'],
    },
    async ({ env, params }) => ({ transaction: await readTransaction(env, params) }),
  )

  .post(
    '/transaction/webhook',
    {
      summary: 'Tell the operator of a payment again, now',
      description: `Also of one that it has acknowledged; with the \`webhook-id\` of all copies. The reply comes when it has answered, \
or has not within 15 seconds: what became of it is the first of \`webhooks\`. Unless it is acknowledged the schedule begins anew. \
409 webhook_processing while an attempt is under way.`,
      params: wire.TransactionOf,
      reply: { transaction: wire.TransactionWithWebhooks },
      errors: ['transaction_not_found', 'webhook_processing'],
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, markPointOfNoReturn }) => ({
      transaction: await tellAgain(env, params, markPointOfNoReturn),
    }),
  )

  .get('/pub/card', hostedPage('Show the page to pay by card'), (call) => cardPage(call))

  .get('/_payments_/pub/card', hostedPage('The same page under its other address'), (call) => cardPage(call))

/** A notification comes as the processor is set up: in the query, as a form, as JSON. */
function notification(summary: string, more: string) {
  return {
    summary,
    description: `Called by the processor, with \`TransactionId\`, \`Amount\` (above 0, at most 12 digits and two decimals), \
\`AccountId\`, \`Currency\`, \`Status\` (\`Completed\` or \`Authorized\`; anything else is refused), \`OperationType\` (\`Payment\`; \
anything else is refused) and \`TestMode\` (1 is refused unless \`PAYMENT_TEST=true\`), in the query, or in the body as a form or \
JSON, encoded in UTF-8. All other fields are ignored. With \`PAYMENT_API_SECRET\` one of the two headers must verify, else 401; without it ordinary access applies. ${more}`,
    headers: {
      'Content-HMAC': { description: 'HMAC-SHA256 of the query or the body as it is sent, in base64' },
      'X-Content-HMAC': { description: 'The same of the URL-decoded text. One right header of the two suffices' },
    },
    reply: { code: wire.Code },
    envelope: 'none' as const,
    consumes: true as const,
    proof: isProcessor,
  }
}

/** Where the operator sends who is to pay. */
function hostedPage(summary: string) {
  return {
    summary,
    description: `An HTML page in the payer's language, with what is paid and to whom, and a button that opens the processor's form: \
nobody but the processor gets the card. From there the payer goes to \`success_url\` or \`fail_url\`. Whatever is wrong with the \
parameters, the payer reads a page that says so, with status 400; 503 where PAYMENT_PUBLIC_ID is not set.`,
    params: CardPage,
    produces: 'text/html',
    open: true as const,
    refused: refusalPage,
  }
}
