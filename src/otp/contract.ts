import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { digitsOf } from '#core/messages/phone'
import { addressOf } from './address.ts'
import { channels, chatOf, emailOf } from './channels.ts'

/** A text as `read` gives it; 400 where it gives nothing. */
const read = <Schema extends z.ZodType<string | number>>(
  schema: Schema,
  reader: (text: string) => string | undefined,
  message: string,
) =>
  schema.transform((given, { issues }) => {
    const value = reader(String(given))
    if (value !== undefined) return value
    issues.push({ code: 'custom', input: given, message })
    return z.NEVER
  })

const Phone = read(
  text(100).meta({
    description: 'With the country code; of `+7 (701) 123-45-67` the digits count',
    examples: ['77011234567'],
  }),
  digitsOf,
  'Must be 7 to 15 digits; only spaces and + ( ) - . may stand between them',
)

const Email = read(
  text(320).meta({ description: 'Capital letters do not count', examples: ['ann@example.com'] }),
  emailOf,
  'Must be an email address',
)

const ChatId = read(
  z.union([text(100), z.int()]).meta({
    description: 'Text or an integer, as the platform of the bot gives it',
    examples: ['123456789'],
  }),
  chatOf,
  'Must have 1 to 64 characters',
)

const Ip = read(
  text(100).meta({
    description:
      "Of the user, not of the caller; required if rules for `ips` were set with POST /limit. IPv6 addresses count by their first 64 bits, a subscriber's network",
    examples: ['203.0.113.7'],
  }),
  addressOf,
  'Must be an IPv4 or IPv6 address',
)

const Password = text(100).min(1)

const blank = 'Must not be blank'
const isNotBlank = (given: string) => given.trim() !== ''

const common = {
  ip: Ip.optional(),
  password: Password.refine(isNotBlank, blank).meta({
    description: 'What the user will enter; 1 to 100 characters',
    examples: ['493027'],
  }),
  lifetime: z
    .int()
    .min(1)
    .max(86_400)
    .meta({ description: 'Seconds for which it is valid', examples: [300] }),
}

const message = (most: number) =>
  text(most)
    .refine(isNotBlank, blank)
    .meta({ description: 'What is sent, with the password in it', examples: ['Your code: 493027'] })

export const NewSms = z.object({ phone: Phone, ...common, message: message(1_600) })
export type NewSms = z.output<typeof NewSms>

export const NewCall = z.object({ phone: Phone, ...common })
export type NewCall = z.output<typeof NewCall>

// As the email service has it, which would refuse it when nobody hears of that any more.
const oneLine = /^\P{Cc}*$/u

export const NewEmail = z
  .object({
    email: Email,
    ...common,
    subject: text(998)
      .regex(oneLine, 'Must be one line, without control characters')
      .refine(isNotBlank, blank)
      .meta({ examples: ['Your code'] }),
    text: text(1_000_000)
      .optional()
      .meta({ description: 'What is sent; this or `html`, or both', examples: ['Your code: 493027'] }),
    html: text(1_000_000)
      .optional()
      .meta({ examples: ['<p>Your code: <b>493027</b></p>'] }),
  })
  .refine(({ text, html }) => text || html, { path: ['text'], message: 'Is required unless there is html' })
export type NewEmail = z.output<typeof NewEmail>

export const NewChatMessage = z.object({ chat_id: ChatId, ...common, message: message(4_096) })
export type NewChatMessage = z.output<typeof NewChatMessage>

const entered = { password: Password.meta({ description: 'What the user has entered', examples: ['493027'] }) }

export const PhoneCheck = z.object({ phone: Phone, ...entered })
export const EmailCheck = z.object({ email: Email, ...entered })
export const ChatCheck = z.object({ chat_id: ChatId, ...entered })

/** The keys of a check's reply, which stand beside each other. */
export const checkReply = {
  status: z.boolean().describe('Whether the password is valid'),
  status_code: z
    .enum(['wrong_password', 'already_used', 'attempts_exceeded'])
    .optional()
    .describe(
      'Why it is not. `already_used`: it was right before, and the check is not counted. `attempts_exceeded`: it was not looked at',
    ),
  message: z.string().optional(),
}
const CheckReply = z.object(checkReply)
export type CheckReply = z.output<typeof CheckReply>

const Rule = z
  .object({
    minutes: z.int().min(1).max(525_600).describe('Looking back from each send'),
    rate: z.int().min(1).max(10_000).describe('How many sends are accepted in that time'),
  })
  .meta({ examples: [{ minutes: 1, rate: 5 }] })

const rulesFor = (whose: string) => z.array(Rule).max(20).describe(`For each ${whose}; all of them hold`)

/** The rules of a channel, by whom they are for. */
const ips = rulesFor('IP address')
export const phoneLimits = { ips, phones: rulesFor('phone') }
export const emailLimits = { ips, emails: rulesFor('email address') }
export const chatLimits = { ips, chats: rulesFor('chat') }

export const PhoneLimits = z.object(phoneLimits).partial()
export const EmailLimits = z.object(emailLimits).partial()
export const ChatLimits = z.object(chatLimits).partial()

export const PasswordOn = z.object({
  ...entered,
  channel: z.enum(channels).describe('Where it was sent'),
  ip: Ip.optional().meta({
    description:
      "The end user's IP address: 20 unknown passwords a minute are answered for each; without it 200 a minute for all calls of the channel together",
  }),
})

export const LockOf = z.object({
  channel: z.enum(channels).describe('Where the passwords were sent'),
  target: text(320)
    .min(1)
    .meta({ description: 'A phone, an email address or the id of a chat', examples: ['77011234567'] }),
})
export type LockOf = z.output<typeof LockOf>

export const TargetOf = z.object({
  target: text(320).meta({ description: 'A phone, an email address or the id of a chat', examples: ['77011234567'] }),
})

export const SendsOf = z.object({
  id: z.int().optional().describe('Send to start from, itself left out'),
  limit: paging().limit,
})
export type SendsOf = z.output<typeof SendsOf>

export const Send = z.object({
  id: z.int(),
  channel: z.enum(channels),
  target: z
    .string()
    .describe('In part: the last three digits of a phone, the first letter of an email address and its domain'),
  state: z.enum(['valid', 'used', 'expired']),
  created_at: Time,
  expires_at: Time,
  used_at: Time.nullable(),
})

export const CaughtMessagesOf = z.object({ chat_id: ChatId.optional(), ...paging(), count })
export type CaughtMessagesOf = z.output<typeof CaughtMessagesOf>

export const CaughtMessage = z.object({
  id: z.int(),
  chat_id: z.string(),
  text: z.string().nullable().describe('Null where OTP_SECRET is another one since'),
  created_at: Time,
})

/** What the queue brings back: a message of the bot's, and until when it may be sent, in milliseconds. */
export const ChatDelivery = z.object({
  chat_id: text(64).min(1),
  text: text(4_096).min(1),
  expires_at: z.int(),
})
export type ChatDelivery = z.output<typeof ChatDelivery>

export const ChatOutcome = z
  .enum(['sent', 'refused', 'unknown', 'expired'])
  .describe(
    '`refused`: by the platform, for good. `unknown`: it may have arrived. `expired`: it was too late to send it',
  )
export type ChatOutcome = z.output<typeof ChatOutcome>

/** As much of an update as is read (Telegram Bot API, `Update`). */
export const BotUpdate = z.object({
  update_id: z.int().optional(),
  message: z.object({ chat: z.object({ id: ChatId }) }),
})

export const foundTarget = { target: z.string() }
export const shownPassword = { password: z.string() }

/** What is read of a reply of the bot platform (Telegram Bot API). */
export const BotReply = z.object({
  ok: z.boolean().optional(),
  parameters: z.object({ retry_after: z.number().min(0) }).optional(),
})
