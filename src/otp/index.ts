import * as z from 'zod'
import { open } from '#core/db/open'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import { checks, limits, sends } from './about.ts'
import type { Env } from './bindings.ts'
import { deliverByChat } from './chat-delivery.ts'
import { checkPassword, unlockTarget } from './checking.ts'
import * as wire from './contract.ts'
import { checkConfiguration } from './env.ts'
import { emailSend, errors, phoneSend } from './errors.ts'
import { probes } from './health.ts'
import { readLimits, replaceLimits } from './limits.ts'
import { passwordOfTarget, targetOfPassword } from './looking-up.ts'
import { clearMessages, listMessages } from './messages.ts'
import { byCall, byChat, byEmail, bySms } from './parcels.ts'
import { botHeader, isBotPlatform, isQueue } from './proof.ts'
import { schema } from './schema.ts'
import { sendPassword } from './sending.ts'
import { listSends } from './sends.ts'
import { answerUpdate } from './webhook.ts'

const rules = 'Read the rules in force on the channel'

export const otp = api<Env, keyof typeof errors>({
  errors,
  name: 'otp',
  title: 'One-time passwords',
  description: `Sends one-time passwords by SMS, call, email and messenger bot, and says whether what a user has entered is one. Callers \
choose the passwords, and draw them at random. Sends are limited by rules of each channel, for IP addresses and for targets: what a \
rule refuses is not sent, stored or counted, and none is ever exceeded, however many sends come at once. Wrong checks are limited too. \
Passwords are kept as keyed hashes, and encrypted for GET /password, until they expire. A user who writes to the bot gets a password of \
six digits; the application where it is entered asks GET /target for the id of the chat.`,
  probes,
  prepare: async (env) => checkConfiguration(env),
})
  .post(
    '/sms',
    {
      adds: true,
      summary: 'Send a password by SMS',
      description: `${sends} \`ip_limit\`, \`phone_limit\`. The blacklist of the SMS service does not hold for passwords.`,
      params: wire.NewSms,
      errors: phoneSend,
      idempotent: 'from-point-of-no-return',
    },
    ({ env, params, markPointOfNoReturn }) =>
      sendPassword(
        env,
        { channel: 'sms', target: params.phone },
        params,
        () => bySms(env, params),
        markPointOfNoReturn,
      ),
  )

  .post(
    '/call',
    {
      adds: true,
      summary: 'Send a password by a call, which speaks its characters one by one',
      description: `${sends} \`ip_limit\`, \`phone_limit\`. The blacklist of the SMS service does not hold for passwords.`,
      params: wire.NewCall,
      errors: phoneSend,
      idempotent: 'from-point-of-no-return',
    },
    ({ env, params, markPointOfNoReturn }) =>
      sendPassword(
        env,
        { channel: 'call', target: params.phone },
        params,
        () => byCall(env, params),
        markPointOfNoReturn,
      ),
  )

  .post(
    '/email',
    {
      adds: true,
      summary: 'Send a password by email',
      description: `${sends} \`ip_limit\`, \`email_limit\`.`,
      params: wire.NewEmail,
      errors: emailSend,
      idempotent: 'from-point-of-no-return',
    },
    ({ env, params, markPointOfNoReturn }) =>
      sendPassword(
        env,
        { channel: 'email', target: params.email },
        params,
        () => byEmail(env, params),
        markPointOfNoReturn,
      ),
  )

  .post(
    '/chatapp',
    {
      adds: true,
      summary: 'Send a password by the bot, as plain text, to a chat that has written to it before',
      description: `${sends} \`ip_limit\`, and \`email_limit\` for the chat.`,
      params: wire.NewChatMessage,
      errors: emailSend,
      idempotent: 'from-point-of-no-return',
    },
    ({ env, params, markPointOfNoReturn }) =>
      sendPassword(
        env,
        { channel: 'chatapp', target: params.chat_id },
        params,
        (expires_at) => byChat(env, params, expires_at),
        markPointOfNoReturn,
      ),
  )

  .get(
    '/sms/check',
    {
      summary: 'Check a password that was sent by SMS',
      unsafe: true,
      description: checks,
      params: wire.PhoneCheck,
      reply: wire.checkReply,
      envelope: 'none',
      consumes: true,
    },
    ({ env, params }) => checkPassword(env, { channel: 'sms', target: params.phone }, params.password),
  )

  .get(
    '/call/check',
    {
      summary: 'Check a password that was sent by a call',
      unsafe: true,
      description: checks,
      params: wire.PhoneCheck,
      reply: wire.checkReply,
      envelope: 'none',
      consumes: true,
    },
    ({ env, params }) => checkPassword(env, { channel: 'call', target: params.phone }, params.password),
  )

  .get(
    '/email/check',
    {
      summary: 'Check a password that was sent by email',
      unsafe: true,
      description: checks,
      params: wire.EmailCheck,
      reply: wire.checkReply,
      envelope: 'none',
      consumes: true,
    },
    ({ env, params }) => checkPassword(env, { channel: 'email', target: params.email }, params.password),
  )

  .get(
    '/chatapp/check',
    {
      summary: 'Check a password that was sent by the bot',
      unsafe: true,
      description: checks,
      params: wire.ChatCheck,
      reply: wire.checkReply,
      envelope: 'none',
      consumes: true,
    },
    ({ env, params }) => checkPassword(env, { channel: 'chatapp', target: params.chat_id }, params.password),
  )

  .delete(
    '/lock',
    {
      summary: 'Unlock a target',
      description:
        'Forgets the wrong checks of a target on a channel, so that its passwords can be checked again. Fine if it is not locked.',
      params: wire.LockOf,
    },
    ({ env, params }) => unlockTarget(env, params),
  )

  .post(
    '/limit/sms',
    { summary: 'Limit how often passwords are sent by SMS', description: limits, params: wire.PhoneLimits },
    ({ env, params: { ips, phones } }) => replaceLimits(open(env, schema), 'sms', { ip: ips, target: phones }),
  )

  .get('/limit/sms', { summary: rules, reply: wire.phoneLimits }, async ({ env }) => {
    const { ip: ips, target: phones } = await readLimits(env, 'sms')
    return { ips, phones }
  })

  .post(
    '/limit/call',
    { summary: 'Limit how often passwords are sent by calls', description: limits, params: wire.PhoneLimits },
    ({ env, params: { ips, phones } }) => replaceLimits(open(env, schema), 'call', { ip: ips, target: phones }),
  )

  .get('/limit/call', { summary: rules, reply: wire.phoneLimits }, async ({ env }) => {
    const { ip: ips, target: phones } = await readLimits(env, 'call')
    return { ips, phones }
  })

  .post(
    '/limit/email',
    { summary: 'Limit how often passwords are sent by email', description: limits, params: wire.EmailLimits },
    ({ env, params: { ips, emails } }) => replaceLimits(open(env, schema), 'email', { ip: ips, target: emails }),
  )

  .get('/limit/email', { summary: rules, reply: wire.emailLimits }, async ({ env }) => {
    const { ip: ips, target: emails } = await readLimits(env, 'email')
    return { ips, emails }
  })

  .post(
    '/limit/chatapp',
    {
      summary: 'Limit how often passwords are sent by the bot',
      description: `${limits} Rules for chats hold for who writes to the bot too, whose message is not answered then.`,
      params: wire.ChatLimits,
    },
    ({ env, params: { ips, chats } }) => replaceLimits(open(env, schema), 'chatapp', { ip: ips, target: chats }),
  )

  .get('/limit/chatapp', { summary: rules, reply: wire.chatLimits }, async ({ env }) => {
    const { ip: ips, target: chats } = await readLimits(env, 'chatapp')
    return { ips, chats }
  })

  .get(
    '/target',
    {
      summary: 'Read whom a password was sent to last',
      unsafe: true,
      description:
        'Also one that was used up meanwhile, until it expires. 404 if nobody was sent it. 429 target_limit after 20 of these within a minute for an `ip`, or after 200 by all calls of the channel without one.',
      params: wire.PasswordOn,
      consumes: true,
      reply: wire.foundTarget,
      errors: ['target_limit', 'target_not_found'],
    },
    async ({ env, params }) => ({ target: await targetOfPassword(env, params) }),
  )

  .get(
    '/password',
    {
      summary: 'Read the newest valid password of a target, on whatever channel',
      description: 'One that is used up or has expired is not valid. 404 where there is none.',
      params: wire.TargetOf,
      reply: wire.shownPassword,
      errors: ['password_not_found'],
    },
    async ({ env, params }) => ({ password: await passwordOfTarget(env, params.target) }),
  )

  .get(
    '/sends',
    {
      summary: 'List what was sent lately, the newest first',
      description:
        'With neither a password nor all of a target. What has expired is here until it is swept, within a minute or so.',
      params: wire.SendsOf,
      reply: { sends: z.array(wire.Send) },
    },
    async ({ env, params }) => ({ sends: await listSends(open(env, schema), params, new Date()) }),
  )

  .get(
    '/messages',
    {
      summary: "List the bot's messages that a local start has caught, the newest first",
      description: 'Where there is a bot, as there is deployed, there is no such path: 404. They are kept for a week.',
      params: wire.CaughtMessagesOf,
      reply: { messages: z.array(wire.CaughtMessage), nb_results },
      errors: ['route_not_found'],
    },
    ({ env, params }) => listMessages(env, params),
  )

  .delete(
    '/messages',
    { summary: "Forget the bot's messages that a local start has caught", errors: ['route_not_found'] },
    ({ env }) => clearMessages(env),
  )

  .post(
    '/chatapp/webhook',
    {
      adds: true,
      summary: 'What the platform of the bot calls when a user has written to it',
      description:
        'Takes updates of the Telegram Bot API. The user gets a password of six digits, in the words of CHATAPP_MESSAGE, which is valid for CHATAPP_LIFETIME seconds, 300 unless set, and which no other chat has meanwhile. An update is answered once, however often it comes; what is no message is passed over. The proof is the secret_token that the webhook was registered with, CHATAPP_WEBHOOK_SECRET here; where that is not set, who calls needs access.',
      headers: { [botHeader]: { description: 'CHATAPP_WEBHOOK_SECRET' } },
      takes: { type: 'application/json' },
      errors: ['unavailable'],
      proof: isBotPlatform,
    },
    ({ env, bytes }) => answerUpdate(env, bytes),
  )

  .post(
    '/chatapp/delivery',
    {
      summary: 'What the queue calls when the bot is to send a message',
      description: 'It carries a proof, in place of credentials, that only this service can give it.',
      params: wire.ChatDelivery,
      reply: { outcome: wire.ChatOutcome },
      errors: ['chatapp_failed'],
      proof: isQueue,
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, markPointOfNoReturn }) => ({
      outcome: await deliverByChat(env, params, markPointOfNoReturn),
    }),
  )
