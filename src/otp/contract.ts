// Schemas of the parameters and replies of the API of one-time passwords.
import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { ipKeyOf } from '#core/http/ip-key'
import { Time } from '#core/http/time'
import { digitsOf } from '#core/messages/phone'
import { channels, normalizeChatId, normalizeEmail } from './channels.ts'

/** Schema that transforms its input with `reader`. If `reader` returns undefined, the reply is 400 with `message`. */
const transformed = <Schema extends z.ZodType<string | number>>(
  schema: Schema,
  reader: (text: string) => string | undefined,
  message: string,
) =>
  schema.transform((input, { issues }) => {
    const value = reader(String(input))
    if (value !== undefined) return value
    issues.push({ code: 'custom', input, message })
    return z.NEVER
  })

const Phone = transformed(
  text(100).meta({
    description: 'Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored',
    examples: ['77011234567'],
  }),
  digitsOf,
  'Must have 7 to 15 digits; only spaces and + ( ) - . are allowed between them',
)

const Email = transformed(
  text(320).meta({ description: 'Email address. Upper and lower case are the same', examples: ['ann@example.com'] }),
  normalizeEmail,
  'Must be an email address',
)

const ChatId = transformed(
  z.union([text(100), z.int()]).meta({
    description: 'Id of the chat, as the bot platform sends it: a string or an integer',
    examples: ['123456789'],
  }),
  normalizeChatId,
  'Must have 1 to 64 characters',
)

const Ip = transformed(
  text(100).meta({
    description:
      'IP address of the end user, not of your server. Required if you have set rules for `ips` with `POST /limit/<channel>`. IPv6 addresses are counted by their /64 network',
    examples: ['203.0.113.7'],
  }),
  ipKeyOf,
  'Must be an IPv4 or IPv6 address',
)

const Password = text(100).min(1)

const blank = 'Must not be blank'
const isNotBlank = (input: string) => input.trim() !== ''

const common = {
  ip: Ip.optional(),
  password: Password.refine(isNotBlank, blank).meta({
    description: 'Password that the user has to enter, 1 to 100 characters. Generate it at random',
    examples: ['493027'],
  }),
  lifetime: z
    .int()
    .min(1)
    .max(86_400)
    .meta({ description: 'How long the password is valid, in seconds, 1 to 86400', examples: [300] }),
}

const message = (maxCharacters: number) =>
  text(maxCharacters)
    .refine(isNotBlank, blank)
    .meta({
      description: `Text of the message, 1 to ${maxCharacters} characters. Write the password into it: the text is sent unchanged, and \`password\` is not inserted`,
      examples: ['Your code: 493027'],
    })

export const NewSms = z.object({ phone: Phone, ...common, message: message(1_600) })
export type NewSms = z.output<typeof NewSms>

export const NewCall = z.object({ phone: Phone, ...common })
export type NewCall = z.output<typeof NewCall>

// The same rule as in the email component. Without it the caller would never see that component's error, since the queue calls
// it after the reply.
const oneLine = /^\P{Cc}*$/u

export const NewEmail = z
  .object({
    email: Email,
    ...common,
    subject: text(998)
      .regex(oneLine, 'Must be one line, without control characters')
      .refine(isNotBlank, blank)
      .meta({ description: 'Subject of the mail: one line, at most 998 characters', examples: ['Your code'] }),
    text: text(1_000_000)
      .optional()
      .meta({
        description:
          'Plain text of the mail, at most 1000000 characters. Write the password into it: it is sent unchanged. Required unless there is `html`',
        examples: ['Your code: 493027'],
      }),
    html: text(1_000_000)
      .optional()
      .meta({
        description:
          'HTML of the mail, at most 1000000 characters. Write the password into it: it is sent unchanged. Required unless there is `text`',
        examples: ['<p>Your code: <b>493027</b></p>'],
      }),
  })
  .refine(({ text, html }) => text || html, { path: ['text'], message: 'Is required unless there is html' })
export type NewEmail = z.output<typeof NewEmail>

export const NewChatMessage = z.object({ chat_id: ChatId, ...common, message: message(4_096) })
export type NewChatMessage = z.output<typeof NewChatMessage>

const entered = {
  password: Password.meta({ description: 'Password that the user entered, 1 to 100 characters', examples: ['493027'] }),
}

export const PhoneCheck = z.object({ phone: Phone, ...entered })
export const EmailCheck = z.object({ email: Email, ...entered })
export const ChatCheck = z.object({ chat_id: ChatId, ...entered })

/** The whole reply of a check. It has no envelope: `status` says whether the password is correct, not whether the call succeeded. */
export const checkReply = {
  status: z.boolean().describe('Whether the password is correct and valid'),
  status_code: z
    .enum(['wrong_password', 'already_used', 'attempts_exceeded'])
    .optional()
    .describe(
      'Why the check failed. `wrong_password`: the password is wrong or has expired. `already_used`: the password was correct and has been used; the check is not counted. `attempts_exceeded`: the target is locked, and the password was not checked',
    ),
  message: z
    .string()
    .optional()
    .describe('Explanation of `status_code` in English, for developers. Missing if `status` is true'),
}
const CheckReply = z.object(checkReply)
export type CheckReply = z.output<typeof CheckReply>

const Rule = z
  .object({
    minutes: z.int().min(1).max(525_600).describe('Length of the sliding window in minutes, 1 to 525600 (a year)'),
    rate: z.int().min(1).max(10_000).describe('Sends allowed within the window, 1 to 10000'),
  })
  .meta({ examples: [{ minutes: 1, rate: 5 }] })

const rulesFor = (subject: string) =>
  z.array(Rule).max(20).describe(`Rules for each ${subject}, at most 20. All rules apply`)

/** Parameters and reply fields for the rules of a channel: one list per IP address, and one per target. */
const ips = rulesFor('IP address')
export const phoneLimits = { ips, phones: rulesFor('phone') }
export const emailLimits = { ips, emails: rulesFor('email address') }
export const chatLimits = { ips, chats: rulesFor('chat') }

export const PhoneLimits = z.object(phoneLimits).partial()
export const EmailLimits = z.object(emailLimits).partial()
export const ChatLimits = z.object(chatLimits).partial()

export const PasswordOn = z.object({
  ...entered,
  channel: z.enum(channels).describe('Channel on which the password was sent'),
  ip: Ip.optional().meta({
    description:
      'IP address of the end user. Each address may look up 20 unknown passwords per minute. All requests of the channel without `ip` share a limit of 200 per minute',
  }),
})

export const LockOf = z.object({
  channel: z.enum(channels).describe('Channel on which the target is locked'),
  target: text(320)
    .min(1)
    .meta({ description: 'Phone, email address or id of a chat, 1 to 320 characters', examples: ['77011234567'] }),
})
export type LockOf = z.output<typeof LockOf>

export const TargetOf = z.object({
  target: text(320).meta({
    description: 'Phone, email address or id of a chat, 1 to 320 characters',
    examples: ['77011234567'],
  }),
})

export const SendsOf = z.object({
  id: z.int().optional().describe('Exclusive cursor: returns the sends before the one with this id'),
  limit: paging().limit,
})
export type SendsOf = z.output<typeof SendsOf>

export const Send = z.object({
  id: z.int().describe('Id of the send'),
  channel: z.enum(channels).describe('Channel of the send'),
  target: z
    .string()
    .describe(
      'Masked target: the last three digits of a phone, or the first letter of an email address and its domain',
    ),
  state: z.enum(['valid', 'used', 'expired']).describe('State of the password'),
  created_at: Time.describe('When the password was sent to the queue'),
  expires_at: Time.describe('When the password expires'),
  used_at: Time.nullable().describe('When the password was checked successfully; null if it was not'),
})

export const CaughtMessagesOf = z.object({
  chat_id: ChatId.optional().describe('Only messages to this chat'),
  ...paging(),
  count,
})
export type CaughtMessagesOf = z.output<typeof CaughtMessagesOf>

export const CaughtMessage = z.object({
  id: z.int().describe('Id of the message'),
  chat_id: z.string().describe('Id of the chat'),
  text: z.string().nullable().describe('Text of the message. Null if OTP_SECRET has changed since'),
  created_at: Time.describe('When the message was stored'),
})

/** A message of the bot, as the queue passes it back to this component. */
export const ChatDelivery = z.object({
  chat_id: text(64).min(1).describe('Id of the chat'),
  text: text(4_096).min(1).describe('Text of the message'),
  expires_at: z.int().describe('Deadline of the message, in milliseconds since the epoch'),
})
export type ChatDelivery = z.output<typeof ChatDelivery>

export const ChatOutcome = z
  .enum(['sent', 'refused', 'unknown', 'expired'])
  .describe(
    'Final outcome. `sent`: the platform accepted the message. `refused`: the platform rejected it permanently. `unknown`: the message may have arrived. `expired`: its deadline passed',
  )
export type ChatOutcome = z.output<typeof ChatOutcome>

/** The fields that the component reads of an update: a message that a user wrote to the bot (Telegram Bot API, `Update`). */
export const BotUpdate = z.object({
  update_id: z.int().optional(),
  message: z.object({ chat: z.object({ id: ChatId }) }),
})

export const foundTarget = { target: z.string().describe('Phone (digits only), email address or id of a chat') }
export const shownPassword = { password: z.string().describe('The password in plain text') }

/** The fields that the component reads of the bot platform's reply (Telegram Bot API). */
export const BotReply = z.object({
  ok: z.boolean().optional(),
  parameters: z.object({ retry_after: z.number().min(0) }).optional(),
})
