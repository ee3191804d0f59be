import { api } from '#core/http/api'
import * as wire from './contract.ts'
import type { Env } from './env.ts'
import { messageIdOf } from './message-id.ts'
import { sendMail } from './sending.ts'

export const email = api<Env>({
  name: 'email',
  title: 'Email',
  description: 'Sends mail through an SMTP server.',
}).post(
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
