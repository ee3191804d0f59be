// Schemas of the gateway's own API: persons, and operations on all components.
import * as z from 'zod'
import { text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { parseMailbox } from '#core/messages/mailbox'
import { digitsOf } from '#core/messages/phone'

const Name = text(255).min(1)

const Phone = z
  .union([text(100), z.int()])
  .meta({ examples: ['77011234567'] })
  .transform((input, { issues }) => {
    const digits = digitsOf(String(input))
    if (digits !== undefined) return digits
    issues.push({
      code: 'custom',
      input,
      message: 'Must have 7 to 15 digits; only spaces and + ( ) - . are allowed between them',
    })
    return z.NEVER
  })
  .describe('Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored')

const Email = text(320)
  .meta({ examples: ['ann@example.com'] })
  .transform((input, { issues }) => {
    const mailbox = parseMailbox(input)
    if (mailbox && mailbox.name === '') return mailbox.address.toLowerCase()
    issues.push({ code: 'custom', input, message: 'Must be an email address' })
    return z.NEVER
  })
  .describe('Email address. Upper and lower case are the same')

const ChatId = z
  .union([text(64), z.int()])
  .meta({ examples: ['284571234'] })
  .transform((input, { issues }) => {
    const id = String(input).trim()
    if (id !== '' && !/\p{C}/u.test(id)) return id
    issues.push({ code: 'custom', input, message: 'Must be the id of a chat, without control characters' })
    return z.NEVER
  })
  .describe(
    "Id of the person's chat with a bot, at most 64 characters. Messengers number their chats: the number of one of your users may be the chat of another person",
  )

const identifiers = {
  user: Name.optional().meta({
    description:
      "The person's name in your application, at most 255 characters: as user, recipient, sender, author or account",
    examples: ['ann'],
  }),
  recipient: Name.optional().meta({
    description: "The person's name as a recipient only, at most 255 characters. `user` includes it",
    examples: ['ann'],
  }),
  phone: Phone.optional(),
  email: Email.optional(),
  chat_id: ChatId.optional(),
}

const isSomebody = ({ user, recipient, phone, email, chat_id }: Partial<Record<keyof typeof identifiers, unknown>>) =>
  [user, recipient, phone, email, chat_id].some((value) => value !== undefined)

const required = { path: ['user'], error: 'Is required, or recipient, phone, email or chat_id' }

/** The person of a request: at least one identifier. */
export const PersonOf = z.object(identifiers).refine(isSomebody, required)

/** The person of an export, and the page if it is read in pages. */
export const ExportOf = z
  .object({
    ...identifiers,
    component: text(64).optional().meta({
      description: 'Export only the data of this component, in pages. Default: all components',
    }),
    after: text(4_000)
      .optional()
      .meta({
        description:
          'Export in pages: `next` of the page before, or empty for the first page. Default: the whole export in one reply',
        examples: [''],
      }),
  })
  .refine(isSomebody, required)

export const OperationOf = z.object({ id: z.uuid().describe('Id of the operation') })

export const started = {
  operation: z.object({ id: z.string().describe('Id of the operation, for `GET /operation`') }),
}

const Component = z.object({
  component: z.string().describe('Name of the component'),
  done: z.boolean().describe('Whether the component has erased everything in the current round'),
  erased: z
    .record(z.string(), z.int())
    .describe('Number of erased rows, by table or kind. After a crash, rows of the interrupted step are not counted'),
  failures: z.int().describe('Failed attempts since the last success. The next attempt follows within 5 minutes'),
})

const Operation = z.object({
  id: z.string().describe('Id of the operation'),
  done: z.boolean().describe('Whether all components have erased everything'),
  subject: z
    .string()
    .describe(
      'HMAC-SHA-256 of the identifiers, in hexadecimal. The same identifiers have the same HMAC in each operation',
    ),
  round: z
    .int()
    .describe(
      'Number of the current round over all components, from 1. The rounds are repeated until one finds nothing, at most 3 times',
    ),
  created_at: Time.describe('When the operation was requested'),
  done_at: Time.nullable().describe('When the operation ended; null while it is running'),
  components: z.array(Component),
})
export type OperationStatus = z.output<typeof Operation>

export const operation = { operation: Operation }
