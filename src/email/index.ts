// Endpoints of the email component: send a mail, and read the mails that a local start has caught.
import * as z from 'zod'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import { retryKeysMs } from '#core/http/retention'
import type { Env } from './bindings.ts'
import { clearCaught, findCaught, listCaught, readCaught } from './caught-mails.ts'
import { bodyLimit } from './concurrency-limit.ts'
import { ByName, Outlet } from './contract/outlets.ts'
import * as wire from './contract.ts'
import { errors } from './errors.ts'
import { sendMail } from './mail.ts'
import { messageIdOf } from './message-id.ts'
import { listOutlets, probeOutlet, setOutletPaused } from './outlet/outlets.ts'
import { probesOf } from './servers-health.ts'

const rawHeaders = { 'content-type': 'message/rfc822', 'x-content-type-options': 'nosniff' }

/** Errors of the operations on caught mails. */
const caught = ['message_not_found', 'route_not_found', 'trap_failed'] as const

export const email = api<Env, keyof typeof errors>({
  errors,
  name: 'email',
  title: 'Email',
  description: `Sends mail through the SMTP server of a mail provider: text and HTML, attachments, inline pictures, DKIM.

SMTP_SERVERS configures several servers with weights: if one cannot be used, the next one gets the mail. Otherwise \
SMTP_HOST, SMTP_PORT, SMTP_USERNAME and SMTP_PASSWORD configure a single server. SMTP_ENCRYPTION is "ssl" for implicit TLS (default port 465), \
"tls" for mandatory STARTTLS (587), or empty for no TLS (25), as in a private network. Cloudflare does not allow Workers to connect to \
port 25. The certificate must be valid for SMTP_HOST.

Mail is sent from EMAIL_FROM, or from an address of EMAIL_SENDERS that the request names in \`from\`. Each mail is one message for all \
recipients; those of bcc appear in no header. EMAIL_SIGNATURE_TEXT and EMAIL_SIGNATURE_HTML are appended to it. If DKIM_DOMAIN, \
DKIM_SELECTOR and DKIM_PRIVATE_KEY (RSA, PEM) are set, it is signed with DKIM.

A local start without SMTP_HOST sends nothing: it stores the newest 1000 mails, which you can read at /messages.`,
  probes: probesOf,
})
  .post(
    '/smtp',
    {
      level: 'write',
      summary: 'Send a mail',
      description: `Sends one message to all recipients. The reply comes when the SMTP server has accepted the mail for at least one \
recipient. \`rejected\` lists the recipients that the server rejected. \`reply\` is the server's final reply, \`recipients\` has its reply \
about each recipient.

502 \`smtp_failed\`: the mail was certainly not sent. \`content.smtp\` is the server's reply code, \`content.reply\` the reply with the \
enhanced status code, \`content.recipients\` the replies about the recipients, as far as the server sent them. \`content.step\` is the \
step that failed. The steps \`connect\`, \`connect over TLS\`, \`greeting\`, \`hello\`, \`starttls\`, \`login\` and \`sender\` concern all \
mail; \`recipients\`, \`data\` and \`message\` concern this mail. With the steps \
\`circuit_open\`, \`throttled\` and \`paused\` the mail was not offered to the server. With \`Retry-After\` the failure is temporary.

504 \`smtp_outcome_unknown\`: the connection broke or timed out after the message had begun. The server may have accepted the mail. \
The component does not retry.

With an \`Idempotency-Key\` the mail is sent at most once, also by concurrent requests, and keeps its \`message_id\`. A retry with the same \
key sends again after 502, returns the first reply otherwise, and returns 504 \`outcome_unknown\` if a crash interrupted the first request.

Limits: 100 recipients; 25 MB of attachments, of which base64 in the request can carry 18 MB; 1,000,000 characters each for text and \
HTML. If there is only HTML, the text is made from it. Non-ASCII letters before the @ of an address require an SMTP server with \
SMTPUTF8; otherwise the reply is 400. If too much mail is being sent at the same time, the reply is 503 with \`Retry-After\`.`,
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
    '/outlets',
    {
      level: 'read',
      summary: 'List outlets',
      description:
        'Returns the configured SMTP servers with their circuit breakers, rates, connections and last errors, in the order of the configuration.',
      reply: { outlets: z.array(Outlet).describe('The SMTP servers') },
    },
    async ({ env }) => ({ outlets: await listOutlets(env) }),
  )

  .post(
    '/outlet/pause',
    {
      level: 'manage',
      summary: 'Pause an outlet',
      description:
        'Sends no more mail to an SMTP server until `POST /outlet/resume`. Other servers get the mail. Without another one, mails get 502 `smtp_failed` with the step `paused` and `Retry-After`. Mails that are being sent are completed.',
      params: ByName,
      reply: { outlet: Outlet.describe('The SMTP server') },
      errors: ['outlet_not_found'],
    },
    async ({ env, params }) => ({ outlet: await setOutletPaused(env, params.name, true) }),
  )

  .post(
    '/outlet/resume',
    {
      level: 'manage',
      summary: 'Resume an outlet',
      description: 'Sends mail to an SMTP server again that was paused. Without effect on other servers.',
      params: ByName,
      reply: { outlet: Outlet.describe('The SMTP server') },
      errors: ['outlet_not_found'],
    },
    async ({ env, params }) => ({ outlet: await setOutletPaused(env, params.name, false) }),
  )

  .post(
    '/outlet/probe',
    {
      level: 'manage',
      summary: 'Probe an outlet',
      description:
        'Connects to an SMTP server and logs in, without waiting for the end of `retry_after`. Closes the circuit breaker if that succeeds; otherwise `last_error` has the error. A paused server is not probed.',
      params: ByName,
      reply: { outlet: Outlet.describe('The SMTP server') },
      errors: ['outlet_not_found'],
    },
    async ({ env, params }) => ({ outlet: await probeOutlet(env, params.name) }),
  )

  .getOrPost(
    '/messages',
    {
      level: 'read',
      summary: 'List caught mails',
      description:
        'Only on a local start without SMTP_HOST: returns the stored mails, newest first. Otherwise the reply is 404 `route_not_found`.',
      params: wire.CaughtQuery,
      reply: { messages: z.array(wire.CaughtMail).describe('The mails, newest first'), has_more, nb_results },
      errors: caught,
    },
    async ({ env, params }) => listCaught(env, params),
  )

  .delete(
    '/messages',
    {
      level: 'manage',
      summary: 'Delete all caught mails',
      description:
        'Deletes all stored mails for ever. Only on a local start without SMTP_HOST; otherwise the reply is 404 `route_not_found`.',
      errors: caught,
    },
    async ({ env }) => clearCaught(env),
  )

  .get(
    '/message',
    {
      level: 'read',
      summary: 'Get a caught mail',
      description:
        'Returns one stored mail with its decoded parts. Only on a local start without SMTP_HOST; otherwise the reply is 404 `route_not_found`.',
      params: wire.ById,
      reply: { message: wire.CaughtMail.describe('The mail') },
      errors: caught,
    },
    async ({ env, params }) => findCaught(env, params.id),
  )

  .get(
    '/message/raw',
    {
      level: 'read',
      summary: 'Download the source of a caught mail',
      description:
        'Returns the unchanged message as `message/rfc822`. Only on a local start without SMTP_HOST; otherwise the reply is 404 `route_not_found`.',
      params: wire.ById,
      produces: 'message/rfc822',
      tokenInQuery: true,
      errors: caught,
    },
    async ({ env, params }) => new Response(await readCaught(env, params.id), { headers: rawHeaders }),
  )
