import * as z from 'zod'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import { retryKeysMs } from '#core/http/retention'
import { bodyLimit } from './admission.ts'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { errors } from './errors.ts'
import { messageIdOf } from './message-id.ts'
import { sendMail } from './sending.ts'
import { domainOf, senderOf, serverOf } from './settings.ts'
import { greet } from './smtp/conversation.ts'
import { clearCaught, findCaught, listCaught, readCaught } from './trap.ts'

const rawHeaders = { 'content-type': 'message/rfc822', 'x-content-type-options': 'nosniff' }

/** Errors of the mails that a local start has caught. */
const caught = ['message_not_found', 'route_not_found', 'trap_failed'] as const

export const email = api<Env, keyof typeof errors>({
  errors,
  name: 'email',
  title: 'Email',
  description: `Sends mail through the SMTP server of a mail provider (SMTP_HOST, SMTP_PORT, SMTP_USERNAME, SMTP_PASSWORD), from \
EMAIL_FROM, or from another address of EMAIL_SENDERS that the call names in \`from\`. SMTP_ENCRYPTION says how: "ssl" for TLS from the first byte (port 465 unless SMTP_PORT says otherwise), "tls" for STARTTLS, \
without which nothing is sent (587), empty for neither (25), as on a private network; Cloudflare lets no Worker connect to port 25. \
A certificate must be valid for SMTP_HOST. A mail goes out as one message, in which all recipients are named but those of bcc, and ends \
with the configured signature (EMAIL_SIGNATURE_TEXT, EMAIL_SIGNATURE_HTML). With DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY (RSA, \
PEM) it is signed. A local start without SMTP_HOST sends nothing anywhere: it keeps the newest 1000 mails, to be read under /messages.`,
  probes: (env) => ({ smtp: async () => greet(serverOf(env), domainOf(senderOf(env))) }),
})
  .post(
    '/smtp',
    {
      summary: 'Send a mail',
      description: `The answer comes when the server has taken the mail for one recipient at least, and names those that it refused in \
\`rejected\`. \`reply\` is the server's final reply, \`recipients\` its reply about each recipient. 502 \`smtp_failed\`: it has certainly not gone out; \`content.smtp\` is the \
server's code if it gave one, \`content.reply\` that reply with its enhanced status code and text, \`content.recipients\` the replies about the recipients, \
\`content.step\` what it was the answer to: \`connect\`, \`connect over TLS\`, \`greeting\`, \`hello\`, \`starttls\`, \`login\` or \`sender\`, which concern any mail, \
\`recipients\`, \`data\` or \`message\`. With \`Retry-After\` it may take the mail later. 504 \`smtp_outcome_unknown\`: the connection was lost, or nothing came, after the message had \
begun; it may have been taken, and is not sent again by itself. With an Idempotency-Key a mail goes out once, however often and at how \
many places at once it is asked for, and has the same message_id each time: a repeat tries again after what certainly failed, gets the \
first answer after all else, and 504 \`outcome_unknown\` where a crash cut the message off. Text and html have a million characters at \
the most, a mail 100 recipients and 25 MB of attachments, of which a request in base64 carries 18. Html alone gets a text made from it, \
which is its words alone where it is nested more than 200 levels deep. Letters beyond ASCII before the @ of an address need a server that has \
SMTPUTF8, else 400. 503 with \`Retry-After\` where too much is being sent at once.`,
      params: wire.NewMail,
      reply: wire.sent,
      status: 201,
      errors: ['media_failed', 'smtp_failed', 'smtp_outcome_unknown', 'unavailable'],
      bodyLimit,
      idempotent: 'from-point-of-no-return',
      keyRetentionMs: retryKeysMs,
    },
    async ({ env, params, request, url, bytes, markPointOfNoReturn }) => {
      const repeatable = { key: request.headers.get('idempotency-key'), query: url.search, body: bytes }
      return sendMail(env, params, { messageId: (domain) => messageIdOf(repeatable, domain), markPointOfNoReturn })
    },
  )

  .get(
    '/messages',
    {
      summary: 'List the mails that a local start has caught, the newest first',
      description: 'Where mail goes to an SMTP server, as it does deployed, there is no such path: 404.',
      params: wire.Listed,
      reply: { messages: z.array(wire.CaughtMail), has_more, nb_results },
      errors: caught,
    },
    async ({ env, params }) => listCaught(env, params),
  )

  .delete('/messages', { summary: 'Forget the mails that a local start has caught', errors: caught }, async ({ env }) =>
    clearCaught(env),
  )

  .get(
    '/message',
    {
      summary: 'Read a mail that a local start has caught',
      params: wire.ById,
      reply: { message: wire.CaughtMail },
      errors: caught,
    },
    async ({ env, params }) => findCaught(env, params.id),
  )

  .get(
    '/message/raw',
    {
      summary: 'Read a mail that a local start has caught, as it came',
      params: wire.ById,
      produces: 'message/rfc822',
      errors: caught,
    },
    async ({ env, params }) => new Response(await readCaught(env, params.id), { headers: rawHeaders }),
  )
