// Schemas of the parameters and replies of the SMS gateway's API.
import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { digitsOf } from '#core/messages/phone'

export const ProviderCode = z.enum(['provider_a', 'provider_b', 'provider_c', 'provider_d'])
export type ProviderCode = z.output<typeof ProviderCode>

export const Kind = z.enum(['sms', 'call'])
export type Kind = z.output<typeof Kind>

const badPhone = 'Must have 7 to 15 digits; only spaces and + ( ) - . are allowed between them'

// Examples are set on the schemas of the input, since Zod leaves out the examples of a schema with a transform.
const Phone = z
  .union([z.string().max(100), z.int()], { error: badPhone })
  .meta({ examples: ['77011234567'] })
  .transform((input, { issues }) => {
    const phone = digitsOf(String(input))
    if (phone) return phone
    issues.push({ code: 'custom', input, message: badPhone })
    return z.NEVER
  })
  .describe('Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored')

const maxPhones = 1_000

/** Validation stops after this many invalid phones, so that the error stays small. */
const maxReportedPhones = 100

const Phones = z
  .union([z.string(), z.int(), z.array(z.union([z.string(), z.int()]))], {
    error: ({ input }) =>
      input === undefined ? undefined : 'Must be a phone, a comma-separated list of phones, or an array of phones',
  })
  .meta({ examples: ['77011234567'] })
  .transform((input, { issues }) => {
    const phones = new Set<string>()
    for (const [position, item] of itemsOf(input)) {
      const phone = digitsOf(item)
      if (phone) phones.add(phone)
      else issues.push({ code: 'custom', input: item, path: [position], message: badPhone })
      if (issues.length === maxReportedPhones) break
    }
    if (issues.length > 0) return z.NEVER
    if (phones.size > 0 && phones.size <= maxPhones) return [...phones]
    const message = phones.size === 0 ? 'Must have at least 1 phone' : `Must have at most ${maxPhones} phones`
    issues.push({ code: 'custom', input, message })
    return z.NEVER
  })
  .describe(
    `1 to ${maxPhones} phone numbers with country code: one phone, a comma-separated list, or an array. Each has 7 to 15 \
digits; spaces and \`+ ( ) - .\` are ignored. A phone that occurs twice gets one message. If any phone is invalid, nothing is sent, and \
\`errors\` has a key \`phones.<position>\` for each, counted from 0`,
  )

/** The phones of a list with their positions, which errors name. Empty items of a comma-separated list are skipped. */
function itemsOf(input: string | number | (string | number)[]): [number, string][] {
  if (Array.isArray(input)) return input.map((item, position) => [position, String(item)])
  return [...String(input).split(',').entries()].filter(([, item]) => item.trim() !== '')
}

const maxTextCharacters = 1_600

const Text = text(maxTextCharacters)
  .refine((input) => input.trim() !== '', 'Must not be blank')
  .meta({ examples: ['Your order is on its way'] })

const allow_duplicates = z
  .boolean()
  .default(false)
  .describe(
    'If `true`, a message with an unknown outcome is offered to the next provider, and the reply is 502 if no message is known to be sent, so that a retry with the same `Idempotency-Key` sends again. Use it for texts that may arrive twice, such as one-time passwords',
  )

const force = z
  .boolean()
  .default(false)
  .describe(
    'If `true`, blacklisted phones get the message too. A phone whose recipient has opted out gets it only through the provider that reported the opt-out',
  )

export const NewSms = z.object({
  phones: Phones,
  message: Text.describe(
    `Text of the message, 1 to ${maxTextCharacters} UTF-16 characters. A long text is sent as several segments`,
  ),
  force,
  allow_duplicates,
  provider: ProviderCode.optional().describe('Provider that is asked first. Default: the value of `SMS_PROVIDER`'),
})

export const NewCall = z.object({
  phones: Phones,
  message: Text.describe(`Text to speak, 1 to ${maxTextCharacters} UTF-16 characters`),
  force,
  allow_duplicates: allow_duplicates.describe(
    'If `true`, the reply is also 502 if calls are `unknown` and none is `sent` or `blacklisted`, so that a retry with the same `Idempotency-Key` calls again. A phone may be called twice then',
  ),
  provider: z
    .enum(['provider_a'])
    .optional()
    .describe('Only `provider_a` makes calls. Required if `SMS_PROVIDER` names another provider, otherwise optional'),
})

/** The states that a message can have in the reply to its request. Receipts change the state later. */
const SentState = z.enum(['sent', 'blacklisted', 'unknown', 'failed'])

const SmsState = z.enum([
  ...['queued', 'sending', 'sent', 'delivered', 'undelivered', 'expired', 'rejected'],
  ...['unknown', 'failed', 'blacklisted'],
] as const)
export type SmsState = z.output<typeof SmsState>

const phoneDigits = z.string().describe('Phone number, digits only')
const id = z.int().describe('Id of the message in the gateway')
const provider = ProviderCode.nullable().describe(
  'Provider that accepted the message, or that was asked last. Null if no provider was asked',
)
const provider_id = z
  .string()
  .nullable()
  .describe('Id of the message at the provider. Null if the provider returned none')
const segments = z.int().nullable().describe('Number of SMS segments of the text. Null for a call')

const reasons = `Why the message was not sent, or is not known to be sent. Reported by the provider: \`credentials\`, \`balance\`, \
\`phone\`, \`sender\`, \`text\`, \`forbidden\`, \`unsubscribed\` (the recipient has opted out), \`throttled\`, \`rejected\`, \
\`unavailable\`. Failed call of the provider: \`unreachable\`, \`timeout\`, \`unreadable\`. No provider was asked: \`not_attempted\` (out \
of time), \`circuit_open\` (all providers failed recently). \`interrupted\`: the gateway stopped while it sent the message`

export const SentMessage = z.object({
  id,
  phone: phoneDigits,
  state: SentState.describe(
    '`sent`: a provider accepted the message. `blacklisted`: the phone is on the blacklist, or the provider reports that the recipient has opted out (`unsubscribed`). `unknown`: a provider may have accepted the message, but did not reply. `failed`: certainly no provider accepted the message',
  ),
  provider,
  provider_id,
  segments,
  reason: z.string().optional().describe(reasons),
})
export type SentMessage = z.output<typeof SentMessage>

export const Message = z.object({
  id,
  kind: Kind.describe('`sms`: a text message. `call`: a voice call'),
  phone: phoneDigits,
  state: SmsState.describe(
    '`queued` and `sending` while the request runs, then `sent`, `unknown`, `failed` or `blacklisted`. A delivery receipt changes it to `delivered`, `undelivered`, `expired`, `rejected` or `blacklisted`',
  ),
  reason: z.string().nullable().describe(reasons),
  provider,
  provider_id,
  segments,
  receipt_code: z
    .string()
    .nullable()
    .describe(
      'Status or error code from the last receipt, in the words of the provider. Null before the first receipt',
    ),
  text: z.string().optional().describe('Text of the message. Only on a local start, if the driver `log` got it'),
  created_at: Time.describe('When the gateway stored the message'),
  updated_at: Time.describe('When the state last changed'),
})

export const MessagesOf = z.object({
  phone: Phone.optional().describe('Only messages to this phone'),
  state: SmsState.optional().describe('Only messages in this state'),
  provider: ProviderCode.optional().describe('Only messages of this provider'),
  kind: Kind.optional().describe('Only text messages, or only calls'),
  count,
  ...paging(),
})
export type MessagesOf = z.output<typeof MessagesOf>

export const MessageOf = z.object({ id })

export const PhoneOf = z.object({ phone: Phone })

export const BlacklistEntry = z.object({
  phone: phoneDigits,
  created_at: Time.describe('When the phone entered the blacklist'),
})
