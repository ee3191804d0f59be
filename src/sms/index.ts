// Endpoints of the SMS gateway: text messages, voice calls, the blacklist, the message log and delivery receipts.
import * as z from 'zod'
import { open } from '#core/db/open'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import { retryKeysMs } from '#core/http/retention'
import type { Env } from './bindings.ts'
import { allowPhone, blockPhone, findBlocked } from './blacklist.ts'
import * as wire from './contract.ts'
import { checkConfiguration } from './env.ts'
import { errors } from './errors.ts'
import { probes } from './health.ts'
import { findMessage, listMessages, sendMessages } from './messages.ts'
import { receiveReceipt, verifyProvider } from './receipt-webhook.ts'
import { schema } from './schema.ts'

const storeOf = (env: Env) => open(env, schema)
const isLocal = ({ LOCAL }: Env) => LOCAL === 'true'

export const sms = api<Env, keyof typeof errors>({
  errors,
  name: 'sms',
  title: 'SMS and calls',
  description: `Sends text messages and automated voice calls through up to four providers. Keeps a log of the messages, processes \
delivery receipts, and keeps a blacklist of phones that get no messages.

Each provider is an account with a driver. PROVIDER_A_DRIVER to PROVIDER_D_DRIVER select it: smsc (smsc.ru), twilio, vonage, http (any \
other HTTP gateway), or log, which sends nothing. PROVIDER_A_SENDER, _USERNAME, _PASSWORD and _URL configure the account. A local start \
uses the driver log for provider_a unless you configure another one; GET /messages then shows the texts. No text is stored or logged \
otherwise.

SMS_PROVIDER (default: provider_a) sends the messages of requests that name no provider. If it does not accept a message, the gateway offers \
the message to the providers of SMS_FALLBACK, in their order. Only provider_a makes calls.

The gateway stores each message before it calls a provider. If a provider does not answer, the message may have been sent: its state \
is unknown, and no other provider gets it unless the request has allow_duplicates. A retry with the same Idempotency-Key does not send \
the message again.

Each provider has a circuit breaker that all requests share. After five consecutive failures it opens, and messages go to the next \
provider at once, until a probe succeeds. The first probe is sent after 10 seconds; the interval doubles up to 60 seconds.

If a provider reports that a recipient has opted out (STOP), the gateway blacklists the phone and offers the message to no other \
provider.

Messages are deleted after SMS_RETENTION seconds (default: 90 days).`,
  probes,
  prepare: async (env) => checkConfiguration(env),
})
  .post(
    '/sms',
    {
      level: 'write',
      adds: true,
      summary: 'Send a text message',
      description: `Sends the text to each phone and returns one result per phone, in the order of the phones. The reply comes after \
all providers have answered, within 100 seconds. Messages that the gateway could not begin to send within 85 seconds are \`failed\` with \
the reason \`not_attempted\`.

If a provider is busy and names a waiting time of at most 10 seconds, the gateway waits and retries, up to three times. If the circuits \
of all providers are open, messages fail with the reason \`circuit_open\`, and a 502 has \`Retry-After\`.

502 \`sms_failed\` means that every message is \`failed\`: certainly no phone got it. With \`allow_duplicates\` messages can also be \`unknown\` \
then. \`content.messages\` has the result for each phone, and a retry with the same \`Idempotency-Key\` sends again. If at least one message is \
\`sent\` or \`blacklisted\`, or \`unknown\` without \`allow_duplicates\`, the reply is 200 with all results.

A text that uses only the GSM 03.38 alphabet is one segment of up to 160 characters, or several of 153. Any other text is one segment \
of up to 70 characters, or several of 67.`,
      params: wire.NewSms,
      reply: { messages: z.array(wire.SentMessage).describe('One result per phone, in the order of the phones') },
      errors: ['sms_failed'],
      idempotent: 'from-point-of-no-return',
      keyRetentionMs: retryKeysMs,
    },
    ({ env, params, ctx, base, markPointOfNoReturn }) =>
      sendMessages(env, { kind: 'sms', ...params }, { ctx, base, markPointOfNoReturn }),
  )

  .post(
    '/call',
    {
      level: 'write',
      adds: true,
      summary: 'Call phones and speak a text',
      description: `Calls each phone and reads the text aloud. Returns one result per phone, in the order of the phones, within 100 seconds. \
\`sent\` means that the provider accepted the call; a delivery receipt reports later whether it was answered. Calls that the gateway could not \
begin within 85 seconds are \`failed\` with the reason \`not_attempted\`. Only provider_a makes calls, without a fallback; its driver must be \
smsc, twilio, http or log.

If the provider is busy and names a waiting time of at most 10 seconds, the gateway waits and retries, up to three times. If the circuit of \
the provider is open, calls fail with the reason \`circuit_open\`, and a 502 has \`Retry-After\`.

502 \`call_failed\` means that every call is \`failed\`: certainly no phone was called. With \`allow_duplicates\` calls can also be \`unknown\` \
then. \`content.messages\` has the result for each phone, and a retry with the same \`Idempotency-Key\` calls again. If at least one call is \
\`sent\` or \`blacklisted\`, or \`unknown\` without \`allow_duplicates\`, the reply is 200 with all results.`,
      params: wire.NewCall,
      reply: { messages: z.array(wire.SentMessage).describe('One result per phone, in the order of the phones') },
      errors: ['call_failed'],
      idempotent: 'from-point-of-no-return',
    },
    ({ env, params, ctx, base, markPointOfNoReturn }) =>
      sendMessages(env, { kind: 'call', ...params }, { ctx, base, markPointOfNoReturn }),
  )

  .post(
    '/blacklist',
    {
      level: 'write',
      adds: true,
      summary: 'Add a phone to the blacklist',
      description:
        'The phone gets no messages and no calls, unless a request has `force`. If the phone is already on the blacklist, nothing changes.',
      params: wire.PhoneOf,
    },
    ({ env, params }) => blockPhone(storeOf(env), params.phone, new Date()),
  )

  .delete(
    '/blacklist',
    {
      level: 'write',
      summary: 'Remove a phone from the blacklist',
      description:
        'The phone gets messages and calls again, also after an opt-out (STOP). Succeeds if the phone is not on the blacklist.',
      params: wire.PhoneOf,
    },
    ({ env, params }) => allowPhone(storeOf(env), params.phone),
  )

  .getOrPost(
    '/blacklist',
    {
      level: 'read',
      postPath: '/blacklist/search',
      summary: 'Get the blacklist entry of a phone',
      description: 'Returns 400 `not_blacklisted` if the phone is not on the blacklist.',
      params: wire.PhoneOf,
      reply: { blacklist: wire.BlacklistEntry.describe('The entry of the phone') },
      errors: ['not_blacklisted'],
    },
    async ({ env, params }) => ({ blacklist: await findBlocked(storeOf(env), params.phone) }),
  )

  .getOrPost(
    '/messages',
    {
      level: 'read',
      summary: 'List messages',
      description:
        'Returns text messages and calls, newest first, including those to blacklisted phones. All filters are combined with AND. Texts are returned only on a local start, for messages that the driver `log` got.',
      params: wire.MessagesOf,
      reply: { messages: z.array(wire.Message).describe('The messages, newest first'), nb_results },
    },
    ({ env, params }) => listMessages(storeOf(env), params, isLocal(env)),
  )

  .get(
    '/message',
    {
      level: 'read',
      summary: 'Get a message',
      description:
        'Returns the state of one text message or call. The state changes when the provider sends a delivery receipt.',
      params: wire.MessageOf,
      reply: { message: wire.Message.describe('The message') },
      errors: ['message_not_found'],
    },
    async ({ env, params }) => ({ message: await findMessage(storeOf(env), params.id, isLocal(env)) }),
  )

  .get('/receipt/:provider', receipt('Receive a delivery receipt in the query'), (call) => receiveReceipt(call))

  .post('/receipt/:provider', receipt('Receive a delivery receipt in the body'), (call) => receiveReceipt(call))

/** Declares a receipt webhook without parameters: each provider has its own format, in the query, as a form or as JSON. */
function receipt(summary: string) {
  return {
    level: 'write',
    summary,
    description: `Webhook for the providers. The last part of the path is the provider, \`provider_a\` to \`provider_d\`; the format \
and the signature are those of its driver. With the driver http, a receipt is a query, a form or a JSON object with \`id\` (the message's \
id at the provider) and \`state\`, such as \`delivered\`, and has \`RECEIPT_SECRET\` as bearer token or as \`token\` in the query. If no \`RECEIPT_SECRET\` is configured for the provider, the request needs access to this \
component.

The gateway sends the address of this webhook to the provider with each message. The address begins with SELF_URL, BASE_URL or the \
address of the request that sent the message, whichever is public.

A receipt changes the state of its message unless that state is final. Requests that are not receipts are accepted and ignored, so \
that the provider does not resend them. The reply is the same if the message does not exist.`,
    pathParameters: { provider: 'Code of the provider: `provider_a`, `provider_b`, `provider_c` or `provider_d`' },
    errors: ['provider_not_found'],
    proof: verifyProvider,
    takesAnyAuthorization: true,
    provenBy: 'the signature or secret of the provider, which is required if its `RECEIPT_SECRET` is set',
  } as const
}
