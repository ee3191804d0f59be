import * as z from 'zod'
import { count, Json, JsonObject, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { parseMailbox } from '#core/messages/mailbox'
import { digitsOf } from '#core/messages/phone'
import { limits, type TextFieldName } from './fields.ts'
import { objectionsTo } from './locale-map.ts'

const Name = text(255)
  .min(1)
  .meta({ description: 'For reference', examples: ['Order shipped'] })
const Code = text(255)
  .min(1)
  .meta({ description: 'What POST /notify calls it by; unique', examples: ['order_shipped'] })
const Description = text(1_000).describe('A short description')

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
// Not a record of Zod's, which leaves out a name such as `__proto__`.
const LocaleMap = z
  .custom<Record<string, unknown>>(isObject)
  .meta({ type: 'object', additionalProperties: { type: 'string' } })

const notTexts = 'Must be a string, or an object of locales and strings'

/** The text of a field, or one for each locale: JSON in the code, null for the empty text. */
const textsOf = <Option extends z.ZodType<number>>(
  field: TextFieldName,
  description: string,
  example: string | Record<string, string>,
  ...more: Option[]
) =>
  z
    .codec(
      z
        .union([z.string(), LocaleMap, ...more], notTexts)
        .superRefine((given, { addIssue }) => {
          for (const { path, message } of objectionsTo(given, limits[field]))
            addIssue({ code: 'custom', input: given, path, message })
        })
        .meta({ examples: [example] }),
      z.string().nullable(),
      { decode: (given) => (given === '' ? null : JSON.stringify(given)), encode: (json) => JSON.parse(json ?? '""') },
    )
    .optional()
    .meta({ description: `${description} At most ${limits[field].template} characters in one locale` })

/** The texts as they come in. */
const texts = {
  email_subject: textsOf('email_subject', 'The subject; one line, whatever the values have in them.', {
    en: 'Order {{ order }} is on its way',
    kk: '{{ order }} тапсырысы жолда',
  }),
  email_html: textsOf(
    'email_html',
    'HTML of the email. Each value is escaped once; the filter `raw` writes a value unescaped.',
    {
      en: '<p>Hello, {{ name }}!</p>',
      kk: '<p>Сәлем, {{ name }}!</p>',
    },
  ),
  sms_message: textsOf(
    'sms_message',
    'The text of the SMS. An integer stands for its digits.',
    '{{ name }}, your order is on its way',
    z.int(),
  ),
  feed_title: textsOf('feed_title', 'The title of the record in the feed.', 'On its way'),
  feed_text: textsOf('feed_text', 'The text of the record in the feed.', '{% if vip %}Dear {% endif %}{{ name }}'),
  feed_image: textsOf('feed_image', 'The URL of its image.', 'https://example.com/{{ order }}.png'),
}

const has = {
  has_email: z.boolean().describe('It goes out by email; needs `email_subject` and `email_html`'),
  has_sms: z.boolean().describe('It goes out by SMS; needs `sms_message`'),
  has_feed: z.boolean().describe('It goes into the feed'),
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

const id = z.int().describe('Identity of the template')

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
  .refine(({ id, code }) => id !== undefined || code !== undefined, { path: ['id'], error: 'Is required without code' })
export type NotificationBy = z.output<typeof NotificationBy>

const Shown = Json.meta({
  anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }],
}).nullable()

export const Notification = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  code: z.string(),
  ...has,
  email_subject: Shown.describe('As it was sent'),
  email_html: Shown,
  sms_message: Json.meta({
    anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'object', additionalProperties: { type: 'string' } }],
  }).nullable(),
  feed_title: Shown,
  feed_text: Shown,
  feed_image: Shown,
  variables: Json.meta({ type: 'array', items: { type: 'string' } }).describe(
    'The values of `payload` that its texts read, in alphabetical order',
  ),
  created_at: Time,
  updated_at: Time,
})

export const NotificationFilter = z.object({
  name: text(255).optional().describe('A part of the name, in any case'),
  code: text(255).optional().describe('The whole code'),
  ...z.object({ has_email: z.boolean(), has_sms: z.boolean(), has_feed: z.boolean() }).partial().shape,
  count,
  ...paging(),
})
export type NotificationFilter = z.output<typeof NotificationFilter>

const Locale = text(100).meta({ examples: ['kk-KZ'] })
const payload = JsonObject.default('{}')
  .describe('The values that the templates read, by name')
  .meta({ examples: [{ name: 'Ann', order: 7 }] })

/** A target as `read` gives it, none for the empty text; 400 where it can be none. */
const targetOf = (read: (text: string) => string | undefined, message: string, example: string) =>
  text(1_000)
    .meta({ examples: [example] })
    .transform((given, { issues }) => {
      if (given.trim() === '') return undefined
      const target = read(given)
      if (target === undefined) issues.push({ code: 'custom', input: given, message })
      return target
    })

const Email = targetOf(
  (given) => (parseMailbox(given) ? given.trim() : undefined),
  'Must be an email address',
  'ann@example.com',
).describe('Who gets the email: an address, or `Name <address>`')

const Phone = targetOf(
  digitsOf,
  'Must be 7 to 15 digits; only spaces and + ( ) - . may stand between them',
  '77011234567',
).describe('Who gets the SMS: with the country code; spaces and `+ ( ) - .` are taken off')

const FeedCollection = targetOf(
  (given) => (/^[a-z][a-z0-9_]{0,47}$/.test(given) ? given : undefined),
  'Must be a-z, 0-9 and _, 1 to 48 characters, a letter first',
  'news',
).describe('The collection of the feed that gets the record')

const FeedRecipient = targetOf(
  (given) => (given.length <= 255 ? given : undefined),
  'Must have at most 255 characters',
  'ann',
).describe('Whose record it is')

export const Notify = z.object({
  notification: Code.describe('The code of the template'),
  locale: Locale.describe('The language of who gets it'),
  email: Email.optional(),
  phone: Phone.optional(),
  feed_collection: FeedCollection.optional(),
  feed_recipient: FeedRecipient.optional(),
  feed_payload: JsonObject.optional().describe("The record's own payload"),
  payload,
})
export type Notify = z.output<typeof Notify>

const state = z.enum(['queued', 'skipped', 'failed'])

const ChannelOutcome = z.object({
  state: state.describe(
    '`queued`: the queue has the message. `skipped`: there was nothing to send, see `reason`. `failed`, in refusals alone: the queue has not taken it, or has not said so.',
  ),
  task: z
    .string()
    .optional()
    .describe('The task of the queue; missing where an earlier call that was cut off had queued another text'),
  reason: z
    .enum(['disabled', 'no_target', 'empty'])
    .optional()
    .describe(
      'Why it was skipped. `disabled`: the template does not go out there. `no_target`: the call does not say to whom. `empty`: what the template makes of this payload is blank.',
    ),
})
export type ChannelOutcome = z.output<typeof ChannelOutcome>

export const Outcomes = z.object({ email: ChannelOutcome, sms: ChannelOutcome, feed: ChannelOutcome })
export type Outcomes = z.output<typeof Outcomes>

export const Previewed = z.object({
  id: id.optional(),
  code: Code.optional().describe('Of a template, in place of `id`'),
  ...texts,
  locale: Locale.default('').describe('As POST /notify has it'),
  payload,
})
export type Previewed = z.output<typeof Previewed>

const rendered = z.string().nullable()
const chosen = z.string().nullable()

export const NotificationPreview = z.object({
  email: z.object({ subject: rendered, html: rendered }).nullable(),
  sms: z
    .object({
      message: z.string(),
      encoding: z
        .enum(['gsm7', 'ucs2'])
        .describe(
          '`gsm7`: 160 characters a segment, 153 of several. `ucs2`, where a character is not in that alphabet: 70 and 67',
        ),
      segments: z.int().describe('How many short messages it takes'),
    })
    .nullable(),
  feed: z.object({ title: rendered, text: rendered, image: rendered }).nullable(),
  locales: z
    .object({
      email_subject: chosen,
      email_html: chosen,
      sms_message: chosen,
      feed_title: chosen,
      feed_text: chosen,
      feed_image: chosen,
    })
    .describe('The locale whose text was taken; null where there is no text, or one for all'),
  variables: z.array(z.string()).describe('The values of `payload` that these texts read, in alphabetical order'),
})
export type NotificationPreview = z.output<typeof NotificationPreview>
