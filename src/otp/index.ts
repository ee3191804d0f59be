// Endpoints of the one-time passwords: sends, checks, limits, lookups and the bot's webhook.
import * as z from 'zod'
import { open } from '#core/db/open'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import { callbackOnly } from '#core/http/proof'
import { checks, component, fromBotPlatform, limits, limitsInForce, lookup, sends, webhook } from './api-texts.ts'
import type { Env } from './bindings.ts'
import { sendQueuedMessage } from './bot.ts'
import { clearMessages, listMessages } from './caught-messages.ts'
import { checkPassword, unlockTarget } from './checks.ts'
import * as wire from './contract.ts'
import { checkConfiguration } from './env.ts'
import { emailSend, errors, phoneSend } from './errors.ts'
import { probes } from './health.ts'
import { readLimits, readPhoneLimits, replaceLimits } from './limits.ts'
import { passwordOfTarget, targetOfPassword } from './lookups.ts'
import { isBotPlatform, isQueue } from './proof.ts'
import { schema } from './schema.ts'
import { listSends, sendPassword } from './sends.ts'
import { callTask, chatTask, emailTask, smsTask } from './tasks.ts'
import { answerUpdate } from './webhook.ts'

/** The declaration that the sends on all channels share. */
const send = { level: 'write', adds: true, idempotent: 'from-point-of-no-return' } as const

/** The declaration that the checks of all channels share. */
const check = {
  level: 'write',
  unsafe: true,
  description: checks,
  reply: wire.checkReply,
  envelope: 'none',
  consumes: true,
} as const

/** The declaration that the operations share which return the limits of a channel. */
const getLimits = { level: 'read', summary: 'Get the limits of a channel', description: limitsInForce } as const

export const otp = api<Env, keyof typeof errors>({
  errors,
  name: 'otp',
  title: 'One-time passwords',
  description: component,
  probes,
  prepare: async (env) => checkConfiguration(env),
})
  .post(
    '/sms',
    {
      ...send,
      summary: 'Send a password by SMS',
      description: `${sends} The error is \`ip_limit\` or \`phone_limit\`. Phones on the blacklist of the SMS component get passwords too.`,
      params: wire.NewSms,
      errors: phoneSend,
    },
    ({ env, params, markPointOfNoReturn }) =>
      sendPassword(env, { channel: 'sms', target: params.phone }, params, {
        createTask: () => smsTask(env, params),
        markPointOfNoReturn,
      }),
  )

  .post(
    '/call',
    {
      ...send,
      summary: 'Send a password by voice call',
      description: `The call reads the characters of the password aloud, one by one. ${sends} The error is \`ip_limit\` or \`phone_limit\`. Phones on the blacklist of the SMS component get passwords too.`,
      params: wire.NewCall,
      errors: phoneSend,
    },
    ({ env, params, markPointOfNoReturn }) =>
      sendPassword(env, { channel: 'call', target: params.phone }, params, {
        createTask: () => callTask(env, params),
        markPointOfNoReturn,
      }),
  )

  .post(
    '/email',
    {
      ...send,
      summary: 'Send a password by email',
      description: `${sends} The error is \`ip_limit\` or \`email_limit\`.`,
      params: wire.NewEmail,
      errors: emailSend,
    },
    ({ env, params, markPointOfNoReturn }) =>
      sendPassword(env, { channel: 'email', target: params.email }, params, {
        createTask: () => emailTask(env, params),
        markPointOfNoReturn,
      }),
  )

  .post(
    '/chatapp',
    {
      ...send,
      summary: 'Send a password through the messenger bot',
      description: `The bot sends plain text to a chat that has written to the bot before. ${sends} The error is \`ip_limit\`, or \`email_limit\` for the chat.`,
      params: wire.NewChatMessage,
      errors: emailSend,
    },
    ({ env, params, markPointOfNoReturn }) =>
      sendPassword(env, { channel: 'chatapp', target: params.chat_id }, params, {
        createTask: (expires_at) => chatTask(env, params, expires_at),
        markPointOfNoReturn,
      }),
  )

  .getOrPost(
    '/sms/check',
    { ...check, summary: 'Check a password that was sent by SMS', params: wire.PhoneCheck },
    ({ env, params }) => checkPassword(env, { channel: 'sms', target: params.phone }, params.password),
  )

  .getOrPost(
    '/call/check',
    { ...check, summary: 'Check a password that was sent by voice call', params: wire.PhoneCheck },
    ({ env, params }) => checkPassword(env, { channel: 'call', target: params.phone }, params.password),
  )

  .getOrPost(
    '/email/check',
    { ...check, summary: 'Check a password that was sent by email', params: wire.EmailCheck },
    ({ env, params }) => checkPassword(env, { channel: 'email', target: params.email }, params.password),
  )

  .getOrPost(
    '/chatapp/check',
    { ...check, summary: 'Check a password that was sent through the bot', params: wire.ChatCheck },
    ({ env, params }) => checkPassword(env, { channel: 'chatapp', target: params.chat_id }, params.password),
  )

  .delete(
    '/lock',
    {
      level: 'manage',
      summary: 'Unlock a target',
      description:
        'Deletes the counted wrong checks of a target on a channel, so that its passwords can be checked again. Succeeds if the target is not locked.',
      params: wire.LockOf,
    },
    ({ env, params }) => unlockTarget(env, params),
  )

  .post(
    '/limit/sms',
    { level: 'manage', summary: 'Set the limits of passwords by SMS', description: limits, params: wire.PhoneLimits },
    ({ env, params: { ips, phones } }) => replaceLimits(open(env, schema), 'sms', { ip: ips, target: phones }),
  )

  .get('/limit/sms', { ...getLimits, reply: wire.phoneLimits }, ({ env }) => readPhoneLimits(env, 'sms'))

  .post(
    '/limit/call',
    {
      level: 'manage',
      summary: 'Set the limits of passwords by voice call',
      description: limits,
      params: wire.PhoneLimits,
    },
    ({ env, params: { ips, phones } }) => replaceLimits(open(env, schema), 'call', { ip: ips, target: phones }),
  )

  .get('/limit/call', { ...getLimits, reply: wire.phoneLimits }, ({ env }) => readPhoneLimits(env, 'call'))

  .post(
    '/limit/email',
    { level: 'manage', summary: 'Set the limits of passwords by email', description: limits, params: wire.EmailLimits },
    ({ env, params: { ips, emails } }) => replaceLimits(open(env, schema), 'email', { ip: ips, target: emails }),
  )

  .get('/limit/email', { ...getLimits, reply: wire.emailLimits }, async ({ env }) => {
    const { ip: ips, target: emails } = await readLimits(env, 'email')
    return { ips, emails }
  })

  .post(
    '/limit/chatapp',
    {
      level: 'manage',
      summary: 'Set the limits of passwords through the bot',
      description: `${limits} Rules for chats also apply to users who write to the bot: once a limit is reached, the bot does not answer.`,
      params: wire.ChatLimits,
    },
    ({ env, params: { ips, chats } }) => replaceLimits(open(env, schema), 'chatapp', { ip: ips, target: chats }),
  )

  .get('/limit/chatapp', { ...getLimits, reply: wire.chatLimits }, async ({ env }) => {
    const { ip: ips, target: chats } = await readLimits(env, 'chatapp')
    return { ips, chats }
  })

  .getOrPost(
    '/target',
    {
      level: 'manage',
      summary: 'Get the target of a password',
      unsafe: true,
      description: lookup,
      params: wire.PasswordOn,
      consumes: true,
      reply: wire.foundTarget,
      errors: ['target_limit', 'target_not_found'],
    },
    async ({ env, params }) => ({ target: await targetOfPassword(env, params) }),
  )

  .getOrPost(
    '/password',
    {
      level: 'manage',
      summary: 'Get the newest valid password of a target',
      description:
        'Searches all channels. Used and expired passwords are not valid. Returns 404 if the target has no valid password.',
      params: wire.TargetOf,
      reply: wire.shownPassword,
      errors: ['password_not_found'],
    },
    async ({ env, params }) => ({ password: await passwordOfTarget(env, params.target) }),
  )

  .get(
    '/sends',
    {
      level: 'read',
      summary: 'List recent sends',
      description:
        'Returns the sent passwords, newest first, without the passwords themselves and with masked targets. Expired entries are deleted within about a minute. Pass the last `id` of a page as `id` to get the next page.',
      params: wire.SendsOf,
      reply: { sends: z.array(wire.Send).describe('The sends, newest first') },
    },
    async ({ env, params }) => ({ sends: await listSends(open(env, schema), params, new Date()) }),
  )

  .getOrPost(
    '/messages',
    {
      level: 'read',
      summary: 'List the caught messages of the bot',
      description:
        'Only on a local start without a bot: the messages are stored instead of sent, and deleted after a week. Returns them newest first. If a bot is configured, the reply is 404 `route_not_found`.',
      params: wire.CaughtMessagesOf,
      reply: { messages: z.array(wire.CaughtMessage).describe('The messages, newest first'), nb_results },
      errors: ['route_not_found'],
    },
    ({ env, params }) => listMessages(env, params),
  )

  .delete(
    '/messages',
    {
      level: 'manage',
      summary: 'Delete the caught messages of the bot',
      description: 'Only on a local start without a bot; otherwise the reply is 404 `route_not_found`.',
      errors: ['route_not_found'],
    },
    ({ env }) => clearMessages(env),
  )

  .post(
    '/chatapp/webhook',
    {
      level: 'write',
      adds: true,
      summary: 'Receive an update from the bot platform',
      description: webhook,
      takes: { type: 'application/json' },
      errors: ['unavailable'],
      ...fromBotPlatform,
      proof: isBotPlatform,
    },
    ({ env, bytes }) => answerUpdate(env, bytes),
  )

  .post(
    '/chatapp/delivery',
    {
      level: 'write',
      summary: 'Send a queued message through the bot',
      description:
        'Called by the queue, not by your application: sends the message unless its password has expired. The header `otp-proof` authenticates the request by a signature that only this component can create. 502 `chatapp_failed` asks the queue to retry; any other outcome is final.',
      params: wire.ChatDelivery,
      reply: { outcome: wire.ChatOutcome },
      errors: ['chatapp_failed'],
      proof: isQueue,
      ...callbackOnly,
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, markPointOfNoReturn }) => ({
      outcome: await sendQueuedMessage(env, params, markPointOfNoReturn),
    }),
  )
