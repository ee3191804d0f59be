// Schemas of the parameters and replies of the notifications' API. Their descriptions are its documentation.
import * as z from 'zod'
import { count, Json, JsonObject, jsonObject, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { parseMailbox } from '#core/messages/mailbox'
import { digitsOf } from '#core/messages/phone'
import { type TextFieldName, textDescriptions } from '#core/messages/text-fields'
import { limits } from './fields.ts'
import { textErrors } from './locale-map.ts'

const Name = text(255)
  .min(1)
  .meta({ description: 'Name of the template for people, 1 to 255 characters', examples: ['Order shipped'] })
const Code = text(255)
  .min(1)
  .meta({
    description: 'Unique code of the template, which `POST /notify` passes, 1 to 255 characters',
    examples: ['order_shipped'],
  })
const Description = text(1_000).describe('Description for people, at most 1 000 characters')

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
// Not `z.record`: its copy of the object would drop a key such as `__proto__`, which must be rejected as a locale.
const LocaleMap = z
  .custom<Record<string, unknown>>(isObject)
  .meta({ type: 'object', additionalProperties: { type: 'string' } })

const notTexts = 'Must be a string, or an object with a string per locale'

/**
 * Schema of a text, or of an object with a text per locale. The handlers get the value as JSON text, as the database stores it;
 * null stands for the empty text.
 */
const textsOf = <Option extends z.ZodType<number>>(
  field: TextFieldName,
  example: string | Record<string, string>,
  ...more: Option[]
) =>
  z
    .codec(
      z
        .union([z.string(), LocaleMap, ...more], notTexts)
        .superRefine((value, { addIssue }) => {
          for (const { path, message } of textErrors(value, limits[field]))
            addIssue({ code: 'custom', input: value, path, message })
        })
        .meta({ examples: [example] }),
      z.string().nullable(),
      { decode: (value) => (value === '' ? null : JSON.stringify(value)), encode: (json) => JSON.parse(json ?? '""') },
    )
    .optional()
    .meta({
      description: `${textDescriptions[field]} A Liquid template, or an object with one template per locale: at most \
${limits[field].template} characters each, and ${limits[field].bytes} bytes of JSON together${more.length > 0 ? '. An integer becomes its digits' : ''}`,
    })

/** Text parameters of `POST /notification`, `PATCH /notification` and the preview. */
const texts = {
  email_subject: textsOf('email_subject', {
    en: 'Order {{ order }} is on its way',
    kk: '{{ order }} тапсырысы жолда',
  }),
  email_html: textsOf('email_html', {
    en: '<p>Hello, {{ name }}!</p>',
    kk: '<p>Сәлем, {{ name }}!</p>',
  }),
  sms_message: textsOf('sms_message', '{{ name }}, your order is on its way', z.int()),
  feed_title: textsOf('feed_title', 'On its way'),
  feed_text: textsOf('feed_text', '{% if vip %}Dear {% endif %}{{ name }}'),
  feed_image: textsOf('feed_image', 'https://example.com/{{ order }}.png'),
}

const has = {
  has_email: z.boolean().describe('Whether the template sends email. Requires `email_subject` and `email_html`'),
  has_sms: z.boolean().describe('Whether the template sends SMS. Requires `sms_message`'),
  has_feed: z.boolean().describe('Whether the template adds a feed record'),
}

export const NewNotification = z.object({
  name: Name,
  description: Description.optional(),
  code: Code,
  has_email: has.has_email.default(false),
  has_sms: has.has_sms.default(false),
  has_feed: has.has_feed.default(false),
  ...texts,
})
export type NewNotification = z.output<typeof NewNotification>

const id = z.int().describe('Id of the template')

export const NotificationChanges = z.object({
  id,
  name: Name.optional(),
  description: Description.optional(),
  code: Code.optional(),
  ...z.object(has).partial().shape,
  ...texts,
})
export type NotificationChanges = z.output<typeof NotificationChanges>

export const NotificationOf = z.object({ id })

export const NotificationBy = z
  .object({ id: id.optional(), code: Code.optional() })
  .refine(({ id, code }) => id !== undefined || code !== undefined, {
    path: ['id'],
    error: 'Is required if there is no code',
  })
export type NotificationBy = z.output<typeof NotificationBy>

const TextReply = Json.meta({
  anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }],
}).nullable()

export const Notification = z.object({
  id,
  name: z.string().describe('Name of the template for people'),
  description: z.string().nullable().describe('Description for people'),
  code: z.string().describe('Unique code of the template'),
  ...has,
  email_subject: TextReply.describe(
    'Subject of the email: the string, or the object of strings by locale, that was passed',
  ),
  email_html: TextReply.describe('HTML of the email, in the form that was passed'),
  sms_message: Json.meta({
    anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'object', additionalProperties: { type: 'string' } }],
  })
    .nullable()
    .describe('Text of the SMS, in the form that was passed'),
  feed_title: TextReply.describe('Title of the feed record, in the form that was passed'),
  feed_text: TextReply.describe('Text of the feed record, in the form that was passed'),
  feed_image: TextReply.describe('URL of the image of the feed record, in the form that was passed'),
  variables: Json.meta({ type: 'array', items: { type: 'string' } }).describe(
    'Names of the `payload` values that the texts use, in alphabetical order',
  ),
  created_at: Time.describe('Time of creation in UTC'),
  updated_at: Time.describe('Time of the last change in UTC'),
})

const channelFilter = (channel: string) =>
  z.boolean().optional().describe(`\`true\`: only templates that use ${channel}. \`false\`: only others`)

export const NotificationFilter = z.object({
  name: text(255).optional().describe('Only templates with this text in their name. Case is ignored'),
  code: text(255).optional().describe('Only the template with this code'),
  has_email: channelFilter('email'),
  has_sms: channelFilter('SMS'),
  has_feed: channelFilter('the feed'),
  count,
  ...paging(),
})
export type NotificationFilter = z.output<typeof NotificationFilter>

const Locale = text(100).meta({ examples: ['kk-KZ'] })
const payload = jsonObject({ examples: [{ name: 'Ann', order: 7 }] })
  .default('{}')
  .describe('Values for the texts, by name: a JSON object. Default: no values')

/**
 * Schema of a recipient's address, which `read` normalizes or rejects with undefined. An empty string counts as missing, so a
 * caller can pass the fields of a user unchanged.
 */
const targetOf = (read: (text: string) => string | undefined, message: string, example: string) =>
  text(1_000)
    .meta({ examples: [example] })
    .transform((value, { issues }) => {
      if (value.trim() === '') return undefined
      const target = read(value)
      if (target === undefined) issues.push({ code: 'custom', input: value, message })
      return target
    })

const Email = targetOf(
  (address) => (parseMailbox(address) ? address.trim() : undefined),
  'Must be an email address, or Name <address>',
  'ann@example.com',
).describe('Recipient of the email: an address, or `Name <address>`. Without it no email is sent')

const Phone = targetOf(
  digitsOf,
  'Must be a phone number of 7 to 15 digits; spaces and + ( ) - . are allowed between them',
  '77011234567',
).describe(
  'Recipient of the SMS: 7 to 15 digits with the country code. Spaces and `+ ( ) - .` are removed. Without it no SMS is sent',
)

const FeedCollection = targetOf(
  (name) => (/^[a-z][a-z0-9_]{0,47}$/.test(name) ? name : undefined),
  'Must be 1 to 48 characters of a-z, 0-9 and _, starting with a letter',
  'news',
).describe('Collection of the feed that gets the record. Required for the feed, with `feed_recipient`')

const FeedRecipient = targetOf(
  (name) => (name.length <= 255 ? name : undefined),
  'Must have at most 255 characters',
  'ann',
).describe('Recipient of the feed record, at most 255 characters. Required for the feed, with `feed_collection`')

export const Notify = z.object({
  notification: Code.describe('Code of the template'),
  locale: Locale.describe('Locale of the recipient, such as `kk-KZ`. Selects the text of each field'),
  email: Email.optional(),
  phone: Phone.optional(),
  feed_collection: FeedCollection.optional(),
  feed_recipient: FeedRecipient.optional(),
  feed_payload: JsonObject.optional().describe('Payload of the feed record: a JSON object, which is stored unchanged'),
  payload,
})
export type Notify = z.output<typeof Notify>

const state = z.enum(['queued', 'skipped', 'failed'])

const ChannelOutcome = z.object({
  state: state.describe(
    '`queued`: the queue has the message. `skipped`: nothing is sent, see `reason`. `failed`: the queue did not accept or did not confirm the message; only in error replies.',
  ),
  task: z
    .string()
    .optional()
    .describe(
      'Id of the task in the queue that sends the message, for `GET /task` of the queue. Missing if an earlier call with the same `Idempotency-Key` was interrupted and had queued another text',
    ),
  reason: z
    .enum(['disabled', 'no_target', 'empty'])
    .optional()
    .describe(
      'Reason for `skipped`. `disabled`: the template does not use this channel. `no_target`: the call has no recipient for it. `empty`: the text is blank with this payload.',
    ),
})
export type ChannelOutcome = z.output<typeof ChannelOutcome>

export const Outcomes = z
  .object({
    email: ChannelOutcome.describe('Outcome of the email'),
    sms: ChannelOutcome.describe('Outcome of the SMS'),
    feed: ChannelOutcome.describe('Outcome of the feed record'),
  })
  .describe('Outcome of each channel')
export type Outcomes = z.output<typeof Outcomes>

export const PreviewParams = z.object({
  id: id.optional().describe('Id of a template'),
  code: Code.optional().describe('Code of a template, instead of `id`'),
  ...texts,
  locale: Locale.default('').describe(
    'Locale of the recipient, as for `POST /notify`. Default: empty, which selects NOTIFY_DEFAULT_LOCALE or else the first locale of each text',
  ),
  payload,
})
export type PreviewParams = z.output<typeof PreviewParams>

const rendered = (description: string) =>
  z.string().nullable().describe(`${description}, null if there is no such text`)
const usedLocale = (field: string) => z.string().nullable().describe(`Locale of \`${field}\``)

export const NotificationPreview = z.object({
  email: z
    .object({ subject: rendered('Subject'), html: rendered('HTML') })
    .nullable()
    .describe('The email, null if it has neither subject nor HTML'),
  sms: z
    .object({
      message: z.string().describe('Text of the SMS'),
      encoding: z
        .enum(['gsm7', 'ucs2'])
        .describe(
          '`gsm7`: 160 characters in one segment, or 153 in each of several. `ucs2`, if a character is not in the GSM alphabet: 70 or 67',
        ),
      segments: z.int().describe('Number of segments, which providers charge for'),
    })
    .nullable()
    .describe('The SMS, null if there is no text'),
  feed: z
    .object({ title: rendered('Title'), text: rendered('Text'), image: rendered('URL of the image') })
    .nullable()
    .describe('The feed record, null if it has no text'),
  locales: z
    .object({
      email_subject: usedLocale('email_subject'),
      email_html: usedLocale('email_html'),
      sms_message: usedLocale('sms_message'),
      feed_title: usedLocale('feed_title'),
      feed_text: usedLocale('feed_text'),
      feed_image: usedLocale('feed_image'),
    })
    .describe('Locale of each text that was used. Null if there is no text, or if it has no locales'),
  variables: z.array(z.string()).describe('Names of the `payload` values that these texts use, in alphabetical order'),
})
export type NotificationPreview = z.output<typeof NotificationPreview>
