// Schemas of the parameters and replies of the deliveries' API. The folder `contract` has the schemas of lists, and of calls
// that the queue makes.
import * as z from 'zod'
import { count, JsonObject, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { type TextFieldName, textDescriptions } from '#core/messages/text-fields'
import { piecesIn } from './range.ts'

export const Channel = z.enum(['email', 'sms', 'feed'])
export type Channel = z.output<typeof Channel>

export const DeliveryStatus = z.enum(['started', 'finished', 'canceled'])
export type DeliveryStatus = z.output<typeof DeliveryStatus>

export const HeldReason = z.enum(['data_url_unavailable', 'outlet_open', 'quota'])
export type HeldReason = z.output<typeof HeldReason>

// At these limits, sums and differences of two bounds stay below 2^53, so they are exact integers.
const Bound = z.int().min(-1e15).max(1e15)

const maxPieces = 1_000_000

/** The parameters that define the range of numbers and the size of its pieces. */
const range = {
  min: Bound.describe('First number of the range, inclusive'),
  max: Bound.describe('Last number of the range, inclusive'),
  gap: z
    .int()
    .min(1)
    .max(1e15)
    .describe(
      'Numbers per piece. `data_url` is called once for each piece, with `_min`, `_max` and `_gap`. At most 1 000 000 pieces',
    ),
}

const isInOrder = ({ min, max }: { min: number; max: number }) => min <= max
const outOfOrder = { path: ['min'], error: 'Must not be greater than max' }
const hasFewPieces = (range: { min: number; max: number; gap: number }) =>
  !isInOrder(range) || piecesIn(range) <= maxPieces
const tooManyPieces = { path: ['gap'], error: `Must be larger: a range has at most ${maxPieces} pieces` }

const Locale = z.string().regex(/^[a-z0-9][\w-]{0,34}$/i, 'Must be a map whose keys are locales, such as en or kk-KZ')

const maxLocales = 200

/** Schema of a map of texts by locale. The handlers get it as JSON text, as the database and the ledger store it. */
const texts = (field: TextFieldName, maxLength: number, requirement = '') =>
  z
    .codec(
      z
        .record(Locale, text(maxLength).min(1, 'Must not be empty'))
        .refine((map) => Object.keys(map).length <= maxLocales, `Must have at most ${maxLocales} locales`)
        .meta({ examples: [{ en: 'Hello, {{ name }}', ru: 'Привет, {{ name }}' }] }),
      z.string(),
      { decode: (map) => JSON.stringify(map), encode: (json) => JSON.parse(json) as Record<string, string> },
    )
    .describe(
      `${textDescriptions[field]} ${requirement}A map of Liquid templates by locale: at most ${maxLocales} locales, and \
${maxLength} characters each`,
    )

const content = {
  email_subject: texts('email_subject', 1_000, 'Required with `has_email`. '),
  email_html: texts('email_html', 500_000, 'Required with `has_email`. '),
  sms_message: texts('sms_message', 5_000, 'Required with `has_sms`. '),
  feed_title: texts('feed_title', 5_000, 'With `has_feed`, this or `feed_text` is required. '),
  feed_text: texts('feed_text', 200_000, 'With `has_feed`, this or `feed_title` is required. '),
  feed_image: texts('feed_image', 5_000),
  feed_payload: JsonObject.describe('Payload of the feed records: a JSON object, not rendered'),
  payload: JsonObject.describe(
    "Values for the texts, the same for all recipients. A recipient's fields of the same name replace them",
  ),
}

const name = text(255).meta({
  description: 'Name of the delivery for people, at most 255 characters',
  examples: ['Spring sale'],
})
const maxRate = 100_000
const maxPerSecond = z.number().max(maxRate)

const channel = {
  has_email: z.boolean().describe('Whether the delivery sends email. At least one channel is required'),
  has_sms: z.boolean().describe('Whether the delivery sends SMS'),
  has_feed: z.boolean().describe('Whether the delivery adds feed records'),
}

export const NewDelivery = z
  .object({
    ...range,
    name,
    has_email: channel.has_email.default(false),
    has_sms: channel.has_sms.default(false),
    has_feed: channel.has_feed.default(false),
    ...z.object(content).partial().shape,
    data_url: z
      .string()
      .describe(
        'http or https URL that returns the recipients. It is called once per piece with GET and a JSON body: `filters`, `_min`, `_max` and `_gap`. The reply is JSON: `{"content": [{"locale": "en", "email": "ann@example.com", "phone": "77011234567", "feed_collection": "news", "feed_recipient": "ann", "name": "Ann"}]}` with up to 10 000 recipients of 32 KB each, at most 20 MB in 30 s. Other fields of a recipient are values for the texts',
      ),
    filters: JsonObject.describe(
      'JSON object that is sent to `data_url` together with `_min`, `_max` and `_gap`, which replace keys of the same name',
    ),
    max_per_second: maxPerSecond
      .positive()
      .optional()
      .describe(
        'Maximum number of messages per second, of all channels together, above 0 and at most 100 000. Default: no limit',
      ),
  })
  .refine(isInOrder, outOfOrder)
  .refine(hasFewPieces, tooManyPieces)
export type NewDelivery = z.output<typeof NewDelivery>

export const Changes = z
  .object({
    id: z.int().describe('Id of the delivery'),
    ...range,
    name,
    ...channel,
    ...content,
    max_per_second: maxPerSecond
      .min(0)
      .describe('Maximum number of messages per second, of all channels together, at most 100 000. 0: no limit'),
  })
  .partial()
  .required({ id: true, min: true, max: true, gap: true, name: true })
  .refine(isInOrder, outOfOrder)
  .refine(hasFewPieces, tooManyPieces)
export type Changes = z.output<typeof Changes>

export const DeliveryOf = z.object({ id: z.int().describe('Id of the delivery') })

export const Copy = z.object({
  id: z.int().describe('Id of the delivery to copy'),
  name: name.optional().describe('Name of the new delivery, at most 255 characters. Default: the name of the original'),
})

const channelFilter = (channel: string) =>
  z.boolean().optional().describe(`\`true\`: only deliveries that use ${channel}. \`false\`: only others`)

export const DeliveryFilter = z.object({
  name: text(255).optional().describe('Only deliveries with this text in their name; case matters'),
  has_email: channelFilter('email'),
  has_sms: channelFilter('SMS'),
  has_feed: channelFilter('the feed'),
  status: DeliveryStatus.optional().describe('Only deliveries with this status'),
  count,
  ...paging(),
})
export type DeliveryFilter = z.output<typeof DeliveryFilter>

const listedFields = {
  id: z.int().describe('Id of the delivery'),
  name: z.string().describe('Name of the delivery for people'),
  ...channel,
  status: DeliveryStatus.describe(
    '`started`: messages are sent. `finished`: all pieces are processed or failed, and all messages are settled. `canceled`: ended by a call',
  ),
  paused: z.boolean().describe('Whether the delivery is paused: no message is sent until it is resumed'),
  held: z
    .boolean()
    .describe(
      'Whether the delivery waits because a channel or `data_url` is down, throttled or out of quota. No message is lost meanwhile',
    ),
  held_reason: HeldReason.nullable().describe(
    '`data_url_unavailable`: `data_url` cannot be reached, times out, or replies with 408, 425, 429 or 5xx. `outlet_open`: a circuit breaker is open, since the mail server, the SMS provider or the feed does not accept messages. `quota`: it throttles or is out of quota',
  ),
  next_attempt_at: Time.nullable().describe(
    'Time in UTC of the next attempt of a held delivery, with one message or piece: after 10 s, 1 min, 5 min, then every 15 min',
  ),
  progress: z.number().describe('Processed share of the range, 0 to 1. Decreases only if a retry reopens the delivery'),
  created_at: Time.describe('Time of creation in UTC'),
  updated_at: Time.describe('Time in UTC of the last change of the delivery or its status'),
}

export const ListedDelivery = z.object(listedFields)
export type ListedDelivery = z.output<typeof ListedDelivery>

const reasons = `Number of messages by reason. Skipped: \`no_target\`, the recipient has no target for the channel; \`duplicate\`, another \
recipient of this delivery has the same target; \`no_text\`, the rendered text is blank; \`too_large\`, the recipient's fields are too large; \
\`blacklisted\`, the phone is on the blacklist; \`canceled\`, the delivery was canceled; \`channel_off\`, the channel was removed. Failed: \
\`render\`, the template takes too many steps; \`refused\`, the channel rejected the message or its target; \`unauthorized\` and \
\`not_configured\`, the channel is not set up; other reasons come from the channel, after several attempts. Unknown: \`timeout\`, \
\`unreadable\` and \`interrupted\`, the message may have been sent and is not sent again; \`key_expired\`, the same, and the channel has \
deleted the idempotency key before the retry.`

const ChannelReport = z.object({
  queued: z.int().describe('Messages that are still to be sent'),
  sending: z.int().describe('Messages that are being sent'),
  sent: z.int().describe('Messages that the channel accepted'),
  skipped: z.int().describe('Messages that are not sent, see `reasons`'),
  failed: z.int().describe('Messages that were certainly not sent'),
  unknown: z
    .int()
    .describe('Messages whose outcome was lost: they may have been sent, and are not sent again automatically'),
  reasons: z.record(z.string(), z.int()).describe(reasons),
})
export type ChannelReport = z.output<typeof ChannelReport>

export const Report = z.object({
  pieces: z
    .object({
      total: z.int().describe('Number of pieces in the range'),
      processed: z.int().describe('Pieces that were fetched and whose messages are all settled'),
      failed: z.int().describe('Pieces that `data_url` did not return in 5 attempts'),
    })
    .describe('Number of pieces by state'),
  recipients: z.int().describe('Number of recipients fetched so far'),
  email: ChannelReport.describe('Number of emails by state'),
  sms: ChannelReport.describe('Number of SMS by state'),
  feed: ChannelReport.describe('Number of feed records by state'),
})
export type Report = z.output<typeof Report>

/** Makes a schema nullable and keeps its description, which `nullable` alone would lose. */
const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().describe(schema.description ?? '')

export const Delivery = z.object({
  ...listedFields,
  min: z.int().describe('First number of the range'),
  max: z.int().describe('Last number of the range'),
  gap: z.int().describe('Numbers per piece'),
  data_url: z.string().describe('URL that returns the recipients of each piece'),
  filters: JsonObject.describe('JSON object that is sent to `data_url` with each piece'),
  email_subject: orNull(content.email_subject),
  email_html: orNull(content.email_html),
  sms_message: orNull(content.sms_message),
  feed_title: orNull(content.feed_title),
  feed_text: orNull(content.feed_text),
  feed_image: orNull(content.feed_image),
  feed_payload: JsonObject.nullable().describe('Payload of the feed records, null if there is none'),
  payload: JsonObject.nullable().describe('Values for the texts, null if there are none'),
  max_per_second: z.number().nullable().describe('Maximum number of messages per second, null for no limit'),
  report: Report.describe('Number of pieces and messages by state'),
})

export const Retry = z.object({
  id: z.int().describe('Id of a finished delivery'),
  states: z
    .array(z.enum(['failed', 'unknown', 'skipped']))
    .min(1, 'Must have at least one state')
    .describe(
      'States to retry. `failed`: failed messages and failed pieces. `unknown`: messages whose outcome was lost. `skipped`: messages with the reason `blacklisted` or `no_text`',
    ),
  allow_duplicates: z
    .boolean()
    .default(false)
    .describe(
      '`true`: send `unknown` messages again even if the channel does not know whether they were sent. Recipients may get them twice',
    ),
})
export type Retry = z.output<typeof Retry>

export const Retried = z.object({
  messages: z.int().describe('Number of messages that are sent again'),
  pieces: z.int().describe('Number of pieces that are fetched again'),
  expired: z
    .int()
    .describe(
      'Number of `unknown` messages that are not retried, because the channel has deleted their idempotency keys. See `allow_duplicates`',
    ),
})
export type Retried = z.output<typeof Retried>
