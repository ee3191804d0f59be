import { z } from 'zod'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import * as wire from './contract.ts'
import type { Env } from './env.ts'
import { messageIdOf } from './message-id.ts'
import { sendMail } from './sending.ts'
import { domainOf, senderOf, serverOf } from './settings.ts'
import { greet } from './smtp/conversation.ts'
import { clearCaught, findCaught, listCaught, readCaught } from './trap.ts'

export const email = api<Env>({
  name: 'email',
  title: 'Email',
  description: 'Sends mail through an SMTP server.',
  probes: (env) => ({ smtp: async () => greet(serverOf(env), domainOf(senderOf(env))) }),
})
  .post(
    '/smtp',
    {
      summary: 'Send a mail',
      params: wire.NewMail,
      reply: wire.sent,
      status: 201,
      bodyLimit: 25_000_000,
      idempotent: 'from its commit',
    },
    async ({ env, params, request, bytes, commit }) =>
      sendMail(env, params, { messageId: (domain) => messageIdOf(request, bytes, domain), commit }),
  )

  .get(
    '/messages',
    {
      summary: 'List the mails that a local start has caught, the newest first',
      params: wire.Listed,
      reply: { messages: z.array(wire.CaughtMail), has_more, nb_results },
    },
    async ({ env, params }) => listCaught(env, params),
  )

  .delete('/messages', { summary: 'Forget the mails that a local start has caught' }, async ({ env }) =>
    clearCaught(env),
  )

  .get(
    '/message',
    {
      summary: 'Read a mail that a local start has caught',
      params: wire.ById,
      reply: { message: wire.CaughtMail },
    },
    async ({ env, params }) => findCaught(env, params.id),
  )

  .get(
    '/message/raw',
    {
      summary: 'Read a mail that a local start has caught, as it came',
      params: wire.ById,
      produces: 'message/rfc822',
    },
    async ({ env, params }) => readCaught(env, params.id),
  )
