import * as z from 'zod'
import { count, JsonObject, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { piecesIn } from './range.ts'

export const Channel = z.enum(['email', 'sms', 'feed'])
export type Channel = z.output<typeof Channel>

export const DeliveryStatus = z.enum(['started', 'finished', 'canceled'])
export type DeliveryStatus = z.output<typeof DeliveryStatus>

export const HeldReason = z.enum(['data_url_unavailable', 'outlet_open', 'quota'])
export type HeldReason = z.output<typeof HeldReason>

// Far enough from where integers stop being exact that no sum of two of them gets there.
const Bound = z.int().min(-1e15).max(1e15)

const mostPieces = 1_000_000

/** What a piece of the range is, and how many there are. */
const range = {
  min: Bound.describe('The first item of the range that is sent to, both ends included'),
  max: Bound.describe('The last item'),
  gap: z
    .int()
    .min(1)
    .max(1e15)
    .describe('How many items a piece has: `data_url` is asked once for each, with `_min`, `_max` and `_gap`'),
}

const isInOrder = ({ min, max }: { min: number; max: number }) => min <= max
const outOfOrder = { path: ['min'], error: 'Must not be above max' }
const hasFewPieces = (asked: { min: number; max: number; gap: number }) =>
  !isInOrder(asked) || piecesIn(asked) <= mostPieces
const tooManyPieces = { path: ['gap'], error: `Must be larger: there are at most ${mostPieces} pieces` }

const Locale = z.string().regex(/^[a-z0-9][\w-]{0,34}$/i, 'Must be a map from locale codes, such as en or kk-KZ')

const mostLocales = 200

/** A text by locale: JSON text in the code, as it is stored. */
const texts = (longest: number, description: string) =>
  z
    .codec(
      z
        .record(Locale, text(longest).min(1, 'Must not be empty'))
        .refine((map) => Object.keys(map).length <= mostLocales, `Must have at most ${mostLocales} locales`),
      z.string(),
      { decode: (map) => JSON.stringify(map), encode: (json) => JSON.parse(json) as Record<string, string> },
    )
    .meta({ description, examples: [{ en: 'Hello, {{ name }}', ru: 'Привет, {{ name }}' }] })

const content = {
  email_subject: texts(1_000, 'Required with `has_email`'),
  email_html: texts(500_000, 'Required with `has_email`; what is put in by `{{ }}` is escaped'),
  sms_message: texts(5_000, 'Required with `has_sms`'),
  feed_title: texts(5_000, 'With `has_feed` this or `feed_text` is required'),
  feed_text: texts(200_000, 'With `has_feed` this or `feed_title` is required'),
  feed_image: texts(5_000, 'URL of an image'),
  feed_payload: JsonObject.describe('Payload of the feed records, as it is'),
  payload: JsonObject.describe("Data for the texts' placeholders, the same for all; a recipient's own fields win"),
}

/** The fields that have texts, each a template. */
export const textFields = [
  'email_subject',
  'email_html',
  'sms_message',
  'feed_title',
  'feed_text',
  'feed_image',
] as const
export type DeliveryTextField = (typeof textFields)[number]

const name = text(255).meta({ description: 'For reference', examples: ['Spring sale'] })
const fastest = 100_000
const maxPerSecond = z.number().max(fastest)

export const NewDelivery = z
  .object({
    ...range,
    name,
    has_email: z.boolean().default(false),
    has_sms: z.boolean().default(false),
    has_feed: z.boolean().default(false),
    ...z.object(content).partial().shape,
    data_url: z.string().describe('URL that returns the recipients: http or https'),
    filters: JsonObject.describe('Sent to `data_url` with `_min`, `_max` and `_gap`, which win'),
    max_per_second: maxPerSecond
      .positive()
      .optional()
      .describe('The most messages a second, of all channels together; no limit unless given'),
  })
  .refine(isInOrder, outOfOrder)
  .refine(hasFewPieces, tooManyPieces)
export type NewDelivery = z.output<typeof NewDelivery>

export const Changes = z
  .object({
    id: z.int(),
    ...range,
    name,
    has_email: z.boolean(),
    has_sms: z.boolean(),
    has_feed: z.boolean(),
    ...content,
    max_per_second: maxPerSecond.min(0).describe('0: no limit'),
  })
  .partial()
  .required({ id: true, min: true, max: true, gap: true, name: true })
  .refine(isInOrder, outOfOrder)
  .refine(hasFewPieces, tooManyPieces)
export type Changes = z.output<typeof Changes>

export const DeliveryOf = z.object({ id: z.int() })

export const Copy = z.object({ id: z.int(), name: name.optional().describe("The original's unless given") })

const flag = z.boolean().optional().describe('true: only with, false: only without')

export const DeliveryFilter = z.object({
  name: text(255).optional().describe('A part of the name'),
  has_email: flag,
  has_sms: flag,
  has_feed: flag,
  status: DeliveryStatus.optional(),
  count,
  ...paging(),
})
export type DeliveryFilter = z.output<typeof DeliveryFilter>

const shown = {
  id: z.int(),
  name: z.string(),
  has_email: z.boolean(),
  has_sms: z.boolean(),
  has_feed: z.boolean(),
  status: DeliveryStatus.describe(
    '`finished` when every piece is processed or failed and every message is settled; `canceled` ends it at once',
  ),
  paused: z.boolean().describe('Nothing new is sent until it is resumed'),
  held: z
    .boolean()
    .describe('Something that the delivery depends on is down, throttled or out of quota. Nothing is lost meanwhile'),
  held_reason: HeldReason.nullable().describe(
    '`data_url_unavailable`: data_url cannot be reached, times out, or answers 408, 425, 429 or 5xx. `outlet_open`: the mail server, the SMS provider or the feed does not take messages. `quota`: it is throttled or out of quota',
  ),
  next_attempt_at: Time.nullable().describe(
    'When a held delivery is tried again, with one message or piece: after 10 s, 1, 5 and then every 15 minutes',
  ),
  progress: z
    .number()
    .describe('Share of the range that is processed, 0 to 1. It falls only if a retry reopens the delivery'),
  created_at: Time,
  updated_at: Time.describe('When it was last changed, or its status was'),
}

export const ListedDelivery = z.object(shown)
export type ListedDelivery = z.output<typeof ListedDelivery>

const reasons = `Why messages were not sent, or are not known to be, and how many. Skipped: \`no_target\`, the recipient has none; \
\`duplicate\`, another recipient of this delivery has the same; \`no_text\`, the text comes out blank; \`too_large\`, the recipient's own fields \
are; \`blacklisted\`; \`canceled\`; \`channel_off\`, the channel was taken out. Failed: \`render\`, the template takes too much; \`refused\`, for what the \
message or its target is; \`unauthorized\` and \`not_configured\`, the channel is not set up; others are those of the channel, after several \
tries. Unknown: \`timeout\`, \`unreadable\` and \`interrupted\`: it may have been sent, and is not sent again; \`key_expired\`: so it \
may, and a retry waited until the channel had dropped its idempotency key.`

const ChannelReport = z.object({
  queued: z.int().describe('Still to be sent'),
  sending: z.int().describe('Under way'),
  sent: z.int().describe('Taken by the channel'),
  skipped: z.int(),
  failed: z.int().describe('Certainly not sent'),
  unknown: z.int().describe('The outcome was lost: sent or not, and never repeated'),
  reasons: z.record(z.string(), z.int()).describe(reasons),
})
export type ChannelReport = z.output<typeof ChannelReport>

export const Report = z.object({
  pieces: z.object({
    total: z.int(),
    processed: z.int().describe('Fetched, and all of their messages settled'),
    failed: z.int().describe('`data_url` did not give them, after 5 tries each'),
  }),
  recipients: z.int().describe('Fetched so far'),
  email: ChannelReport,
  sms: ChannelReport,
  feed: ChannelReport,
})
export type Report = z.output<typeof Report>

export const Delivery = z.object({
  ...shown,
  min: z.int(),
  max: z.int(),
  gap: z.int(),
  data_url: z.string(),
  filters: JsonObject,
  email_subject: content.email_subject.nullable(),
  email_html: content.email_html.nullable(),
  sms_message: content.sms_message.nullable(),
  feed_title: content.feed_title.nullable(),
  feed_text: content.feed_text.nullable(),
  feed_image: content.feed_image.nullable(),
  feed_payload: JsonObject.nullable(),
  payload: JsonObject.nullable(),
  max_per_second: z.number().nullable(),
  report: Report.describe('What became of all messages so far'),
})

export const Retry = z.object({
  id: z.int(),
  states: z
    .array(z.enum(['failed', 'unknown', 'skipped']))
    .min(1, 'Needs one state at least')
    .describe(
      '`failed`: messages that failed, and pieces that data_url did not give. `unknown`: messages whose outcome was lost. `skipped`: messages that were skipped as `blacklisted` or `no_text`',
    ),
  allow_duplicates: z
    .boolean()
    .default(false)
    .describe(
      'true: send `unknown` messages again even if their idempotency key does not tell whether they were sent. Recipients may get them twice',
    ),
})
export type Retry = z.output<typeof Retry>

export const Retried = z.object({
  messages: z.int().describe('Messages that are sent again'),
  pieces: z.int().describe('Pieces that are fetched again'),
  expired: z
    .int()
    .describe('`unknown` messages that are left: their idempotency key is not kept any more, see `allow_duplicates`'),
})
export type Retried = z.output<typeof Retried>

export const Failures = z.object({
  id: z.int(),
  channel: Channel.optional(),
  state: z.enum(['failed', 'unknown']).optional(),
  count,
  ...paging(),
})
export type Failures = z.output<typeof Failures>

export const FailedMessage = z.object({
  min: z.int().describe('The first item of its piece'),
  max: z.int().describe('The last one'),
  index: z.int().describe("The recipient's place in what `data_url` gave for the piece, from 0"),
  channel: Channel,
  state: z.enum(['failed', 'unknown']),
  reason: z.string().describe('As in `report`'),
  at: Time,
})
export type FailedMessage = z.output<typeof FailedMessage>

const PieceState = z.enum(['fetching', 'waiting', 'sending', 'processed', 'failed'])

export const Pieces = z.object({ id: z.int(), state: PieceState.optional(), ...paging() })
export type Pieces = z.output<typeof Pieces>

export const ListedPiece = z.object({
  min: z.int(),
  max: z.int(),
  state: PieceState.describe(
    '`fetching`: `data_url` is asked. `waiting`: it is asked again, also while it is down. `sending`: messages are still to be settled. Those that were not asked for yet are not listed',
  ),
  tries: z.int().describe('How often `data_url` has failed; while it is down this does not count'),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it failed last: `unreachable`, `timeout`, `address_refused`, `query_too_long`, `http_<status>`, `not_json`, `no_content`, `not_objects`, `answer_too_large`, `too_many_recipients`, `interrupted`, `ledger_full`',
    ),
  recipients: z.int(),
})
export type ListedPiece = z.output<typeof ListedPiece>
