import * as z from 'zod'
import { open } from '#core/db/open'
import { api } from '#core/http/api'
import { nb_results } from '#core/http/fields'
import type { Env } from './bindings.ts'
import { cancelDelivery, changeDelivery, pauseDelivery, retryDelivery } from './changing.ts'
import { PieceCall, SliceCall } from './contract/internal.ts'
import * as wire from './contract.ts'
import { listDeliveries } from './deliveries.ts'
import { checkConfiguration } from './env.ts'
import { ended, errors, queued } from './errors.ts'
import { fetchPiece } from './fetching.ts'
import { probes } from './health.ts'
import { gauges } from './metrics.ts'
import { isQueue } from './proof.ts'
import { readDelivery, readFailures, readPieces } from './reading.ts'
import { removeDelivery } from './removing.ts'
import { schema } from './schema.ts'
import { sendSlice } from './slice.ts'
import { copyDelivery, startDelivery } from './starting.ts'

export const delivery = api<Env, keyof typeof errors>({
  errors,
  name: 'delivery',
  title: 'Bulk delivery',
  description: `Sends email, SMS and feed records to many, whose names come from a URL. A range of numbers, min to max, is cut into \
pieces of gap items. For each piece data_url is asked by GET, with filters, _min, _max and _gap as its JSON body (in its query where a body \
cannot be sent, with X-Body-In-Query: 1), and answers with JSON: {"content": [{"locale": "en", "email": "ann@example.com", "phone": "77011234567", \
"feed_collection": "news", "feed_recipient": "ann", …}, …]}; an empty array is fine. A page has at most 10 000 recipients and 20 MB, a recipient 32 KB. If \
data_url cannot be reached, is silent for 15 s (DELIVERY_DATA_TIMEOUT), takes more than 30 s, or answers 408, 425, 429 or 5xx, it is down, and the \
delivery is held: one piece is asked for after 10 s, 1, 5 and then every 15 minutes, until it answers. Any other answer than 2xx, or one that is no such \
JSON, is asked for again after 5, 10, 20 and 40 s, and then the piece counts as failed. A page counts as a whole: nothing of one that breaks off is sent. \
Each recipient gets a message by each channel that it has a target for, once in a delivery: a second recipient with the same email, phone or feed is \
skipped. The texts are Liquid templates by locale: a recipient gets its own locale's, else its language's (kk for kk-KZ), else that of \
NOTIFY_DEFAULT_LOCALE, else the first; placeholders are filled from payload and the recipient's own fields, which win. Values are escaped in \
email_html alone. A message is claimed in the delivery's ledger before it is sent: where its outcome is lost it is unknown, and not sent again by itself. While the mail server, the SMS provider or the feed is down, throttled or out of quota, the delivery \
is held: messages of that channel wait, and one is tried after 10 s, 1, 5 and then every 15 minutes. A message that its own recipient cannot get for now is \
sent again after 10 s, 1 and 5 min, and then fails. Blacklisted phones get nothing. All work is done by tasks of the queue, of the worker \
DELIVERY_QUEUE_WORKER (delivery unless given): one fraction for the pieces, and a task for each 50 messages. How many daemons it has, their pause \
(DELIVERY_QUEUE_SLEEP, in milliseconds), gap and max_per_second shape how fast it goes.`,
  probes,
  gauges,
  prepare: async (env) => checkConfiguration(env),
})
  .post(
    '/delivery',
    {
      adds: true,
      summary: 'Start a delivery',
      description: `It starts at once. At least one of has_email, has_sms and has_feed is required, each with its texts in one locale at \
least. A template that does not parse is refused with its line and column, under its field and locale. 502 queue_failed where the queue does not \
take it: then nothing is sent. A repeat with the same Idempotency-Key starts no second one.`,
      params: wire.NewDelivery,
      errors: ['delivery_not_found', ...queued],
      reply: { delivery: wire.Delivery },
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, markPointOfNoReturn }) => ({
      delivery: await startDelivery(env, params, markPointOfNoReturn),
    }),
  )

  .patch(
    '/delivery',
    {
      summary: 'Change what is still to be sent',
      description: `What is absent stays as it is; a map of locales is replaced as a whole. What is sent from now on uses the new texts. A \
channel that is taken out sends nothing more, one that is added sends to the recipients of pages that are fetched from now on. 409 range_fixed where min, \
max or gap differ after the first piece, 409 delivery_finished or delivery_canceled where it has ended.`,
      params: wire.Changes,
      errors: [...ended, 'range_fixed'],
    },
    async ({ env, params }) => changeDelivery(env, params),
  )

  .get(
    '/delivery',
    {
      summary: 'Read a delivery, and how far it is',
      description:
        'However large it is: `report` comes from counters. Queued, sending, sent, skipped, failed and unknown are all messages.',
      params: wire.DeliveryOf,
      errors: ['delivery_not_found'],
      reply: { delivery: wire.Delivery },
    },
    async ({ env, params }) => ({ delivery: await readDelivery(env, params.id) }),
  )

  .get(
    '/deliveries',
    {
      summary: 'List deliveries, the newest first',
      description: 'Status and progress are a few seconds old at the most.',
      params: wire.DeliveryFilter,
      reply: { deliveries: z.array(wire.ListedDelivery), nb_results },
    },
    ({ env, params }) => listDeliveries(open(env, schema), params),
  )

  .delete(
    '/delivery',
    {
      summary: 'Cancel a delivery, and forget it',
      description: 'Messages that are under way are still sent.',
      params: wire.DeliveryOf,
      errors: ['delivery_not_found'],
    },
    async ({ env, params }) => removeDelivery(env, params.id),
  )

  .post(
    '/delivery/cancel',
    {
      summary: 'End a delivery at once',
      description: `No message is begun any more. Those that are under way end, and are counted as what becomes of them; all others are skipped, \
canceled. Twice is fine; 409 delivery_finished for one that is finished.`,
      params: wire.DeliveryOf,
      errors: ['delivery_finished', 'delivery_not_found', ...queued],
    },
    async ({ env, params }) => cancelDelivery(env, params.id),
  )

  .post(
    '/delivery/pause',
    {
      summary: 'Send nothing more until the delivery is resumed',
      description: 'Messages that are under way end. Twice is fine; 409 for a delivery that has ended.',
      params: wire.DeliveryOf,
      errors: ended,
    },
    async ({ env, params }) => pauseDelivery(env, params.id, true),
  )

  .post(
    '/delivery/resume',
    {
      summary: 'Go on with a delivery that was paused',
      description: `Nothing is lost, and nothing is sent twice. Fine if it is not paused: a delivery that is held then makes its next \
attempt at once. 409 for one that has ended.`,
      params: wire.DeliveryOf,
      errors: ended,
    },
    async ({ env, params }) => pauseDelivery(env, params.id, false),
  )

  .post(
    '/delivery/retry',
    {
      summary: 'Retry the messages of a finished delivery that were not sent',
      description: `Reopens the delivery: its status is \`started\` again, the chosen messages are sent once more, and with \`failed\` the pieces \
that data_url did not give are fetched once more. Recipients of messages that were not sent are kept for DELIVERY_RETRY_DAYS (default 7) after the \
delivery finished; then 409 \`recipients_deleted\`. An \`unknown\` message goes out under its idempotency key, which email and sms keep as long, \
and the feed for a day: if it was sent, that is found out, and nobody gets it twice. It stays unknown if the channel does not know either; with \
\`allow_duplicates\` it is sent then. 409 \`delivery_started\` or \`delivery_canceled\` if the delivery has not finished.`,
      params: wire.Retry,
      errors: ['delivery_canceled', 'delivery_not_found', 'delivery_started', 'recipients_deleted', ...queued],
      reply: wire.Retried.shape,
    },
    async ({ env, params }) => retryDelivery(env, params),
  )

  .post(
    '/delivery/copy',
    {
      adds: true,
      summary: 'Start another delivery with the same definition',
      description:
        'As it is now, all changes included. It starts at once, and asks data_url anew: whoever got the first one gets this one too.',
      params: wire.Copy,
      errors: ['delivery_not_found', ...queued],
      reply: { delivery: wire.Delivery },
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, markPointOfNoReturn }) => ({
      delivery: await copyDelivery(env, params, markPointOfNoReturn),
    }),
  )

  .get(
    '/delivery/failures',
    {
      summary: 'List the messages of a delivery that failed, or of which nobody knows',
      description: `Without personal data: who they were for is at \`index\` of what data_url gives for the piece. In the order in which they were \
put in line.`,
      params: wire.Failures,
      errors: ['delivery_not_found'],
      reply: { failures: z.array(wire.FailedMessage), nb_results },
    },
    ({ env, params }) => readFailures(env, params),
  )

  .get(
    '/delivery/pieces',
    {
      summary: 'List the pieces of a delivery that data_url was asked for',
      description: 'In the order of the range.',
      params: wire.Pieces,
      errors: ['delivery_not_found'],
      reply: { pieces: z.array(wire.ListedPiece) },
    },
    ({ env, params }) => readPieces(env, params),
  )

  .post(
    '/piece',
    {
      summary: 'What the queue calls for each piece',
      description: `Fetches its recipients. 502 data_url_failed and 503 piece_busy ask for a repeat after Retry-After. It carries a proof, in place \
of credentials, that only this component can give it.`,
      params: PieceCall,
      errors: ['data_url_failed', 'piece_busy'],
      proof: isQueue,
    },
    async ({ env, params }) => fetchPiece(env, params),
  )

  .post(
    '/slice',
    {
      summary: 'What the queue calls to have messages sent',
      description: 'Sends up to 50 of those that are in line. It carries the same proof.',
      params: SliceCall,
      proof: isQueue,
    },
    async ({ env, params }) => sendSlice(env, params),
  )
