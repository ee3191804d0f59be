// Endpoints of the deliveries, which send a message to all recipients that a URL lists. Callers use the first ones; the queue
// calls `/piece` and `/slice`, which do the work.
import * as z from 'zod'
import { open } from '#core/db/open'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import { callbackOnly } from '#core/http/proof'
import type { Env } from './bindings.ts'
import { PieceCall, SliceCall } from './contract/internal.ts'
import * as lists from './contract/lists.ts'
import * as wire from './contract.ts'
import {
  cancelDelivery,
  changeDelivery,
  copyDelivery,
  pauseDelivery,
  readDelivery,
  readFailures,
  readPieces,
  removeDelivery,
  retryDelivery,
  startDelivery,
} from './deliveries.ts'
import { listDeliveries } from './delivery-rows.ts'
import { checkConfiguration } from './env.ts'
import { ended, errors, queued } from './errors.ts'
import { probes } from './health.ts'
import { gauges } from './metrics.ts'
import { fetchPiece } from './piece.ts'
import { isQueue } from './proof.ts'
import { schema } from './schema.ts'
import { sendSlice } from './slice.ts'

export const delivery = api<Env, keyof typeof errors>({
  errors,
  name: 'delivery',
  title: 'Bulk delivery',
  description: `Sends email, SMS and feed records to all recipients that a URL lists.

**Recipients.** A range of numbers, \`min\` to \`max\`, is divided into pieces of \`gap\` numbers. For each piece the delivery calls \
\`data_url\` with GET and a JSON body: \`filters\`, \`_min\`, \`_max\` and \`_gap\`. If a body cannot be sent, they are in the query, with \
the header \`X-Body-In-Query: 1\`. The reply is JSON with up to 10 000 recipients of 32 KB each, at most 20 MB in 30 s: \`{"content": \
[{"locale": "en", "email": "ann@example.com", "phone": "77011234567", "feed_collection": "news", "feed_recipient": "ann", …}, …]}\`. An empty \
array is valid. If the reply breaks off, nothing of the page is sent.

**Messages.** Each recipient gets one message per channel that it has a target for. A target gets one message per delivery: later recipients \
with the same email, phone or feed are skipped. Texts are Liquid templates by locale. A recipient gets the text of its \`locale\`, else of its language \
(\`kk\` for \`kk-KZ\`), else of NOTIFY_DEFAULT_LOCALE, else the first text. Values come from \`payload\` and from the recipient's fields, which replace \
values of the same name. Values are escaped in \`email_html\` only. Phones on the blacklist get nothing.

**Failures.** If \`data_url\` cannot be reached, is silent for 15 s (DELIVERY_DATA_TIMEOUT), or replies with 408, 425, 429 or 5xx, the delivery \
is held. If a mail server, an SMS provider or the feed is down, throttled or out of quota, the messages of that channel are held. A held delivery makes \
one attempt after 10 s, 1 min, 5 min, then every 15 min, and continues when it succeeds. Any other invalid reply of \`data_url\` is requested again \
after 5, 10, 20 and 40 s; then the piece is failed. A message that its recipient cannot get at present is retried after 10 s, 1 min and 5 min; then it is \
failed. A message whose outcome is lost in a crash is \`unknown\` and not sent again automatically.

**Work.** All work is done by tasks of the queue worker DELIVERY_QUEUE_WORKER (default \`delivery\`): one fraction for the pieces, and one task for \
every 50 messages. The number of its daemons, their pause DELIVERY_QUEUE_SLEEP in milliseconds, \`gap\` and \`max_per_second\` determine the speed.`,
  probes,
  gauges,
  prepare: async (env) => checkConfiguration(env),
})
  .post(
    '/delivery',
    {
      level: 'write',
      adds: true,
      summary: 'Start a delivery',
      description: `Starts to send at once. The numbers \`min\` to \`max\` are divided into pieces of \`gap\` numbers, and \`data_url\` returns the \
recipients of each piece. A recipient gets one message per channel for which its reply has a target. At least one of \`has_email\`, \`has_sms\` and \`has_feed\` is required, each with its texts in at least one locale. A \
template that does not parse is rejected with field, locale, line and column. On 502 \`queue_failed\` nothing is sent. A repeat with the same \
\`Idempotency-Key\` starts no second delivery.`,
      params: wire.NewDelivery,
      errors: ['delivery_not_found', ...queued],
      reply: { delivery: wire.Delivery.describe('The delivery') },
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, markPointOfNoReturn }) => ({
      delivery: await startDelivery(env, params, markPointOfNoReturn),
    }),
  )

  .patch(
    '/delivery',
    {
      level: 'write',
      summary: 'Change a delivery',
      description: `Changes messages that are still to be sent. Missing parameters keep their values; a map of locales is replaced completely. Messages \
of a removed channel are skipped. An added channel sends to recipients of pages that are fetched from now on. 409 \`range_fixed\` if \`min\`, \`max\` or \
\`gap\` change after the first piece was fetched.`,
      params: wire.Changes,
      errors: [...ended, 'range_fixed'],
    },
    async ({ env, params }) => changeDelivery(env, params),
  )

  .get(
    '/delivery',
    {
      level: 'read',
      summary: 'Get a delivery',
      description: `Returns the definition, the present status, and a report with the number of messages by channel, state and reason. The time does not depend on the \
number of messages.`,
      params: wire.DeliveryOf,
      errors: ['delivery_not_found'],
      reply: { delivery: wire.Delivery.describe('The delivery') },
    },
    async ({ env, params }) => ({ delivery: await readDelivery(env, params.id) }),
  )

  .get(
    '/deliveries',
    {
      level: 'read',
      summary: 'List deliveries',
      description: `Deliveries that match all filters, newest first, without their texts and reports. The status, also as a filter, and the progress can be a few seconds old; \`GET /delivery\` has the present ones.`,
      params: wire.DeliveryFilter,
      reply: { deliveries: z.array(wire.ListedDelivery).describe('Deliveries of the page, newest first'), nb_results },
    },
    ({ env, params }) => listDeliveries(open(env, schema), params),
  )

  .delete(
    '/delivery',
    {
      level: 'write',
      summary: 'Cancel and delete a delivery',
      description:
        'Cancels the delivery if it has not ended, and deletes it with its report. No queued message is sent; messages that are being sent at this moment are still sent. Cannot be undone.',
      params: wire.DeliveryOf,
      errors: ['delivery_not_found'],
    },
    async ({ env, params }) => removeDelivery(env, params.id),
  )

  .post(
    '/delivery/cancel',
    {
      level: 'write',
      summary: 'Cancel a delivery',
      description: `No further message is sent. Messages that are being sent are still counted by their outcome; all others are skipped with the reason \
\`canceled\`. Has no effect on a canceled delivery. A canceled delivery cannot be resumed.`,
      params: wire.DeliveryOf,
      errors: ['delivery_finished', 'delivery_not_found', ...queued],
    },
    async ({ env, params }) => cancelDelivery(env, params.id),
  )

  .post(
    '/delivery/pause',
    {
      level: 'write',
      summary: 'Pause a delivery',
      description: `Messages that are being sent are completed; no other message is sent until the delivery is resumed with \`POST /delivery/resume\`. \
Has no effect on a paused delivery. 409 \`delivery_canceled\` or \`delivery_finished\` if the delivery has ended.`,
      params: wire.DeliveryOf,
      errors: ended,
    },
    async ({ env, params }) => pauseDelivery(env, params.id, true),
  )

  .post(
    '/delivery/resume',
    {
      level: 'write',
      summary: 'Resume a delivery',
      description: `Continues a paused delivery without losing or repeating messages. A delivery that is held makes its next attempt at once. \
Has no effect on a delivery that is neither paused nor held. 409 \`delivery_canceled\` or \`delivery_finished\` if the delivery has ended.`,
      params: wire.DeliveryOf,
      errors: ended,
    },
    async ({ env, params }) => pauseDelivery(env, params.id, false),
  )

  .post(
    '/delivery/retry',
    {
      level: 'write',
      summary: 'Retry a finished delivery',
      description: `Reopens the delivery: its status is \`started\` again, the chosen messages are sent again, and with \`failed\` the failed pieces are \
fetched again. Recipients of messages that were not sent are kept for DELIVERY_RETRY_DAYS (default 7) after the delivery finished; then the reply is 409 \
\`recipients_deleted\`. An \`unknown\` message is sent with its original idempotency key, which email and SMS keep for the same time and the feed for a day: if \
it was sent before, it is not sent twice. If the channel does not know either, the message stays \`unknown\`, unless \`allow_duplicates\` is true. \
409 \`delivery_started\` or \`delivery_canceled\` if the delivery has not finished.`,
      params: wire.Retry,
      errors: ['delivery_canceled', 'delivery_not_found', 'delivery_started', 'recipients_deleted', ...queued],
      reply: wire.Retried.shape,
    },
    async ({ env, params }) => retryDelivery(env, params),
  )

  .post(
    '/delivery/copy',
    {
      level: 'write',
      adds: true,
      summary: 'Copy a delivery',
      description: `Starts a new delivery with the present definition, including changes, whatever the status of the first one. Calls \`data_url\` again: recipients of \
the first delivery get the new one too. A repeat with the same \`Idempotency-Key\` starts no second delivery.`,
      params: wire.Copy,
      errors: ['delivery_not_found', ...queued],
      reply: { delivery: wire.Delivery.describe('The delivery') },
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, markPointOfNoReturn }) => ({
      delivery: await copyDelivery(env, params, markPointOfNoReturn),
    }),
  )

  .get(
    '/delivery/failures',
    {
      level: 'read',
      summary: 'List failed messages',
      description: `Failed and unknown messages in the order in which they were queued. The list has no personal data: the recipient is at \`index\` in the \
reply of \`data_url\` for the piece.`,
      params: lists.Failures,
      errors: ['delivery_not_found'],
      reply: { failures: z.array(lists.FailedMessage).describe('Messages of the page'), nb_results },
    },
    ({ env, params }) => readFailures(env, params),
  )

  .get(
    '/delivery/pieces',
    {
      level: 'read',
      summary: 'List pieces',
      description: `Pieces of the range that were requested from \`data_url\` so far, in the order of the range, each with its state and the reason of its last failure.`,
      params: lists.Pieces,
      errors: ['delivery_not_found'],
      reply: { pieces: z.array(lists.ListedPiece).describe('Pieces of the page') },
    },
    ({ env, params }) => readPieces(env, params),
  )

  .post(
    '/piece',
    {
      level: 'write',
      summary: 'Fetch a piece (called by the queue)',
      description: `Fetches the recipients of a piece from \`data_url\` and queues their messages. The reply has no content. 502 \`data_url_failed\` and 503 \`piece_busy\` ask the queue to call again after \
\`Retry-After\` seconds. The call has a signed proof in the header \`delivery-proof\` instead of credentials, so only the queue can make it.`,
      params: PieceCall,
      errors: ['data_url_failed', 'piece_busy'],
      proof: isQueue,
      ...callbackOnly,
    },
    async ({ env, params }) => fetchPiece(env, params),
  )

  .post(
    '/slice',
    {
      level: 'write',
      summary: 'Send messages (called by the queue)',
      description: `Sends up to 50 queued messages of the ledger, within about 15 seconds. The reply has no content: outcomes are in the report of the delivery. The call has a signed proof in \
the header \`delivery-proof\` instead of credentials, so only the queue can make it.`,
      params: SliceCall,
      proof: isQueue,
      ...callbackOnly,
    },
    async ({ env, params }) => sendSlice(env, params),
  )
