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
import { findMessage, listMessages } from './messages.ts'
import { isProvider, takeReport } from './reporting.ts'
import { schema } from './schema.ts'
import { sendMessages } from './sending.ts'

const storeOf = (env: Env) => open(env, schema)
const isLocal = ({ LOCAL }: Env) => LOCAL === 'true'

export const sms = api<Env, keyof typeof errors>({
  errors,
  name: 'sms',
  title: 'SMS and calls',
  description: `Sends text messages and robotic calls through one of four providers, and keeps a blacklist of phones that get none. \
Each provider is an account with a driver: PROVIDER_A_DRIVER to PROVIDER_D_DRIVER are smsc (smsc.ru), twilio, vonage, http (any other \
gateway) or log, which sends nothing; with _SENDER, _USERNAME and _PASSWORD, and _URL in place of the provider's own address. \
SMS_PROVIDER is asked where a request names none (provider_a unless given), SMS_FALLBACK are asked next, in their order, where one \
certainly did not take a message. Only provider_a calls. A message is written down before any provider hears of it. If a provider's \
answer does not come, the message may be on its way: its state is unknown, and nobody else is asked unless the request has \
allow_duplicates. A repeat with the same Idempotency-Key never sends twice otherwise. Each provider has a circuit breaker: after five \
failures in a row, over all requests, messages go to the next provider at once, until a probe after 10 to 60 seconds succeeds. If a \
provider says that a recipient has opted out (STOP), the message is blacklisted, no other provider is asked, and the phone enters the \
blacklist. On a local start provider_a has the driver log unless it is given another, and GET /messages shows \
the texts that it took; nothing else keeps or logs a text. Messages are kept for 90 days (SMS_RETENTION, in seconds).`,
  probes,
  prepare: async (env) => checkConfiguration(env),
})
  .post(
    '/sms',
    {
      adds: true,
      summary: 'Send a text message to phones',
      description: `The reply has what became of each, in the order of the phones. It comes when all providers have answered, within \
100 seconds: what has not begun after 85 is failed, not_attempted. While the circuits of all providers are open, messages fail with \
circuit_open, and a 502 has Retry-After. A provider that is busy and says until when, for at most 10 seconds, is waited for, up to three times. 502 sms_failed \
only if certainly no phone got anything, blacklisted ones aside, or with allow_duplicates if none is known to have got anything; its \
content.messages says why, and a repeat with the same key tries again. A text of the GSM 03.38 alphabet goes out as one segment of 160 characters or several of 153, any other as one of 70 or several of 67.`,
      params: wire.NewSms,
      reply: { messages: z.array(wire.SentMessage) },
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
      adds: true,
      summary: 'Call phones, and speak a text',
      description: `As POST /sms, except that only provider_a is asked, by a driver that can call: smsc, twilio, http or log. 502 is \
call_failed.`,
      params: wire.NewCall,
      reply: { messages: z.array(wire.SentMessage) },
      errors: ['call_failed'],
      idempotent: 'from-point-of-no-return',
    },
    ({ env, params, ctx, base, markPointOfNoReturn }) =>
      sendMessages(env, { kind: 'call', ...params }, { ctx, base, markPointOfNoReturn }),
  )

  .post(
    '/blacklist',
    {
      adds: true,
      summary: 'Put a phone on the blacklist',
      description: 'It gets no messages and no calls, unless a request has `force`. One that is there already stays.',
      params: wire.PhoneOf,
    },
    ({ env, params }) => blockPhone(storeOf(env), params.phone, new Date()),
  )

  .delete(
    '/blacklist',
    {
      summary: 'Take a phone off the blacklist',
      description: 'Fine where it is not there.',
      params: wire.PhoneOf,
    },
    ({ env, params }) => allowPhone(storeOf(env), params.phone),
  )

  .get(
    '/blacklist',
    {
      summary: 'See whether a phone is on the blacklist',
      description: 'Since when it is; 400 not_blacklisted where it is not.',
      params: wire.PhoneOf,
      reply: { blacklist: wire.BlacklistEntry },
      errors: ['not_blacklisted'],
    },
    async ({ env, params }) => ({ blacklist: await findBlocked(storeOf(env), params.phone) }),
  )

  .get(
    '/messages',
    {
      summary: 'List what was sent, the newest first',
      description: 'Calls and blacklisted phones too. Of what the driver log took on a local start also the text.',
      params: wire.MessagesOf,
      reply: { messages: z.array(wire.Message), nb_results },
    },
    ({ env, params }) => listMessages(storeOf(env), params, isLocal(env)),
  )

  .get(
    '/message',
    {
      summary: 'Read what became of a message',
      params: wire.MessageOf,
      reply: { message: wire.Message },
      errors: ['message_not_found'],
    },
    async ({ env, params }) => ({ message: await findMessage(storeOf(env), params.id, isLocal(env)) }),
  )

  .get('/receipt/:provider', receipt('Take a delivery receipt in the query'), (call) => takeReport(call))

  .post('/receipt/:provider', receipt('Take a delivery receipt'), (call) => takeReport(call))

/** A receipt comes as its provider sends it: in the query, as a form, as JSON. */
function receipt(summary: string) {
  return {
    summary,
    description: `Called by \`provider_a\` to \`provider_d\`, in the form and with the proof of its driver; where that has no secret \
to prove with, with the credentials of any caller. The gateway gives its address with each message, under SELF_URL or BASE_URL, or where \
the message was asked for if that is public. A message whose state is final stays as it is. The reply is the same for an unknown message.`,
    errors: ['provider_not_found'],
    proof: isProvider,
  } as const
}
