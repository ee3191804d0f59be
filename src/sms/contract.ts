import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { digitsOf } from '#core/messages/phone'

export const ProviderCode = z.enum(['provider_a', 'provider_b', 'provider_c', 'provider_d'])
export type ProviderCode = z.output<typeof ProviderCode>

export const Kind = z.enum(['sms', 'call'])
export type Kind = z.output<typeof Kind>

const badPhone = 'Must be 7 to 15 digits; only spaces and + ( ) - . may stand between them'

const Phone = z
  .union([z.string().max(100), z.int()], { error: badPhone })
  .transform((given, { issues }) => {
    const phone = digitsOf(String(given))
    if (phone) return phone
    issues.push({ code: 'custom', input: given, message: badPhone })
    return z.NEVER
  })
  .meta({
    description: 'A phone with its country code: 7 to 15 digits; spaces and `+ ( ) - .` are taken off',
    examples: ['77011234567'],
  })

const mostPhones = 1_000

/** So many bad ones are named; the rest is not looked at. */
const mostNamed = 100

const Phones = z
  .union([z.string(), z.int(), z.array(z.union([z.string(), z.int()]))], {
    error: ({ input }) => (input === undefined ? undefined : 'Must be a phone, a comma-separated list, or an array'),
  })
  .transform((given, { issues }) => {
    const phones = new Set<string>()
    for (const [place, item] of itemsOf(given)) {
      const phone = digitsOf(item)
      if (phone) phones.add(phone)
      else issues.push({ code: 'custom', input: item, path: [place], message: badPhone })
      if (issues.length === mostNamed) break
    }
    if (issues.length > 0) return z.NEVER
    if (phones.size > 0 && phones.size <= mostPhones) return [...phones]
    const message = phones.size === 0 ? 'Must have at least 1 phone' : `Must have at most ${mostPhones} phones`
    issues.push({ code: 'custom', input: given, message })
    return z.NEVER
  })
  .meta({
    description: `A phone, a comma-separated list of them, or an array, 1 to ${mostPhones} with their country codes. Of each \
spaces and \`+ ( ) - .\` are taken off; what is left must be 7 to 15 digits. A phone that comes twice gets one message. Where \
some are bad none gets any, and \`errors\` has \`phones.<position>\` of each, counted from 0.`,
    examples: ['77011234567'],
  })

/** The phones with their positions; a list may have a comma too many. */
function itemsOf(given: string | number | (string | number)[]): [number, string][] {
  if (Array.isArray(given)) return given.map((item, place) => [place, String(item)])
  return [...String(given).split(',').entries()].filter(([, item]) => item.trim() !== '')
}

const longest = 1_600

const Text = text(longest)
  .refine((given) => given.trim() !== '', 'Must not be blank')
  .meta({ examples: ['Your order is on its way'] })

const allow_duplicates = z
  .boolean()
  .default(false)
  .describe(
    '`true`: a message whose outcome is unknown is offered to the next provider, and 502 is answered if no message is known to be sent, so that a repeat with the same Idempotency-Key sends again. For texts that may arrive twice, such as one-time passwords',
  )

const force = z.boolean().default(false).describe('`true`: blacklisted phones get it too')

export const NewSms = z.object({
  phones: Phones,
  message: Text.describe(`The text, at most ${longest} characters of UTF-16; a long one goes out as several segments`),
  force,
  allow_duplicates,
  provider: ProviderCode.optional().describe('`SMS_PROVIDER` unless given'),
})

export const NewCall = z.object({
  phones: Phones,
  message: Text.describe(`What is spoken, at most ${longest} characters of UTF-16`),
  force,
  allow_duplicates,
  provider: z.enum(['provider_a']).optional().describe('Only `provider_a` can call. `SMS_PROVIDER` unless given'),
})

/** How a message left the gateway. */
const SentState = z.enum(['sent', 'blacklisted', 'unknown', 'failed'])

const SmsState = z.enum([
  ...['queued', 'sending', 'sent', 'delivered', 'undelivered', 'expired', 'rejected'],
  ...['unknown', 'failed', 'blacklisted'],
] as const)
export type SmsState = z.output<typeof SmsState>

const id = z.int().describe('Identity of the message in the gateway')
const provider = ProviderCode.nullable().describe('Who has taken it, or was asked last; null where nobody was')
const provider_id = z.string().nullable().describe('Identity of the message at the provider, where it gives one')
const segments = z.int().nullable().describe('Short messages that the text takes; null of a call')

const reasons = `Why it was not sent, or is not known to be. What the provider says: \`credentials\`, \`balance\`, \`phone\`, \
\`sender\`, \`text\`, \`forbidden\`, \`unsubscribed\` (the recipient has opted out), \`throttled\`, \`rejected\`, \
\`unavailable\`. What became of the call of the provider: \`unreachable\`, \`timeout\`, \`unreadable\`. \`not_attempted\`: no \
provider was asked. \`circuit_open\`: no provider was asked, since all have failed lately. \`interrupted\`: the gateway died meanwhile.`

export const SentMessage = z.object({
  id,
  phone: z.string(),
  state: SentState.describe(
    '`sent`: a provider has taken it. `blacklisted`: nobody was asked, or the provider says that the recipient has opted out (`unsubscribed`). `unknown`: a provider may have taken it, but its answer did not come. `failed`: certainly nobody has taken it.',
  ),
  provider,
  provider_id,
  segments,
  reason: z.string().optional().describe(reasons),
})
export type SentMessage = z.output<typeof SentMessage>

export const Message = z.object({
  id,
  kind: Kind,
  phone: z.string(),
  state: SmsState.describe(
    '`queued` and `sending` while a request is at it, then `sent`, `unknown`, `failed` or `blacklisted`. A receipt makes it `delivered`, `undelivered`, `expired` or `rejected`.',
  ),
  reason: z.string().nullable().describe(reasons),
  provider,
  provider_id,
  segments,
  receipt_code: z.string().nullable().describe("The provider's own word or number in its last receipt"),
  text: z.string().optional().describe('Only on a local start, of what the driver `log` has taken'),
  created_at: Time,
  updated_at: Time,
})

export const MessagesOf = z.object({
  phone: Phone.optional(),
  state: SmsState.optional(),
  provider: ProviderCode.optional(),
  kind: Kind.optional(),
  count,
  ...paging(),
})
export type MessagesOf = z.output<typeof MessagesOf>

export const MessageOf = z.object({ id })

export const PhoneOf = z.object({ phone: Phone })

export const BlacklistEntry = z.object({ phone: z.string(), created_at: Time })
