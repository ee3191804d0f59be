import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { type Mailbox, needsUtf8, parseMailbox, splitList } from '#core/messages/mailbox'
import { isBase64 } from './base64.ts'

const own = new Set([
  ...['from', 'sender', 'to', 'cc', 'bcc', 'reply-to', 'subject', 'date', 'message-id', 'mime-version'],
  ...['received', 'return-path', 'delivered-to', 'dkim-signature', 'domainkey-signature', 'authentication-results'],
])

/** Whether a header is one that a mail has itself, or that only those write who pass it on. */
const isOwnHeader = (name: string) => own.has(name.toLowerCase()) || /^(content|resent|arc)-/i.test(name)

const mostRecipients = 100
const mostAttachments = 100

const oneLine = (max: number) => text(max).regex(/^\P{Cc}*$/u, 'Must be one line, without control characters')

const badAddress = 'Must be an address, or a name and an address: Name <address>'

// All that can be wrong with them is found in the one place: what follows must have mailboxes.
const Recipients = z
  .union([z.string(), z.array(z.string())], {
    error: ({ input }) => (input === undefined ? 'Is required' : 'Must be a string, or an array of strings'),
  })
  .transform((given, { addIssue }) => {
    const isList = typeof given === 'string'
    const items = isList ? splitList(given) : given
    if (items.length > mostRecipients) {
      addIssue({ code: 'custom', message: `Must be at most ${mostRecipients}` })
      return []
    }
    return items.flatMap((item, position): Mailbox[] => {
      if (isList && item.trim() === '') return []
      const mailbox = item.isWellFormed() ? parseMailbox(item) : undefined
      if (mailbox) return [mailbox]
      addIssue({ code: 'custom', path: [position], message: badAddress })
      return []
    })
  })

const recipients = (description: string, ...examples: unknown[]) => Recipients.meta({ description, examples })

const Sender = oneLine(1_000).transform((given, { addIssue }): Mailbox => {
  const mailbox = given.isWellFormed() ? parseMailbox(given) : undefined
  if (mailbox) return mailbox
  addIssue({ code: 'custom', message: badAddress })
  return z.NEVER
})

const contentType = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(;\s*[\w-]{1,50}=([\w.+:-]{1,100}|"[\w .+:/-]{1,100}"))*$/

const ContentType = z
  .string()
  .max(300)
  .regex(contentType, 'Must be a media type, such as image/png')
  .refine(
    (type) => !/^(multipart|message)\//i.test(type),
    'Must not be of multipart or message: they cannot be encoded',
  )

export const Attachment = z
  .object({
    filename: oneLine(255).min(1).describe('What it is called where it arrives, in any script'),
    content: z
      .string()
      .refine(isBase64, 'Must be base64, padded and without line breaks')
      .optional()
      .describe('The file, in base64; either this or `digest`'),
    digest: z
      .string()
      .regex(/^[\w-]{1,255}$/, 'Must be the digest of a file')
      .optional()
      .describe('In place of `content`: a file of the media service'),
    content_type: ContentType.optional().describe(
      "A media type; unless given that of the media service's file, or what the name's extension stands for",
    ),
    cid: z
      .string()
      .regex(/^[\w.+-]{1,100}(@[\w.-]{1,100})?$/, 'Must be letters, digits and . _ + - @')
      .optional()
      .describe('For a picture inside the html: <img src="cid:…">'),
  })
  .refine(({ content, digest }) => (content === undefined) !== (digest === undefined), {
    path: ['content'],
    error: 'Either content or digest is required, and not both',
  })
export type Attachment = z.output<typeof Attachment>

const HeaderName = z
  .string()
  .regex(/^[a-z0-9][\w-]{0,75}$/i, 'Must be letters, digits, _ and -')
  .refine((name) => !isOwnHeader(name), 'Is a header that the mail has itself')

const HeaderValue = oneLine(5_000)
  .min(1)
  .refine((value) => !/\S{901}/.test(value), 'Must not have a word of more than 900 characters')

const Body = text(1_000_000)

export const NewMail = z
  .object({
    subject: oneLine(998),
    to: recipients(
      'Whom it is to: addresses, each alone or as `Name <address>`, in an array or separated by commas. All of them stand in the one message',
      'Ann <ann@example.com>, bob@example.com',
      ['ann@example.com'],
    ),
    from: Sender.optional().meta({
      description:
        'The sender: an address, or `Name <address>`. Must be that of EMAIL_FROM, which is the default, or one of EMAIL_SENDERS; else 400',
      examples: ['Shop <shop@example.com>'],
    }),
    text: Body.optional().describe('Plain text; made from the html where there is only that'),
    html: Body.optional().describe('A page; its pictures by cid: or at public addresses'),
    signature_enabled: z.boolean().default(true).describe('false leaves the configured signature out of this mail'),
    cc: recipients('Who gets a copy, for all to see; as `to`').optional(),
    bcc: recipients('Who gets a copy that nobody else sees: it is in no header; as `to`').optional(),
    reply_to: recipients('Whom a reply goes to; as `to`').optional(),
    headers: z
      .record(HeaderName, HeaderValue, {
        error: ({ code, issues }) => (code === 'invalid_key' ? issues[0]?.message : undefined),
      })
      .refine((headers) => Object.keys(headers).length <= 50, 'Must be at most 50')
      .default({})
      .describe('Further headers, by name; none that the mail has itself, such as From, Date or Content-Type')
      .meta({ examples: [{ 'List-Unsubscribe': '<https://example.com/u/1>' }] }),
    attachments: z.array(Attachment).max(mostAttachments).default([]),
  })
  .refine(({ text, html }) => Boolean(text || html), { path: ['text'], error: 'Is required unless there is html' })
  .refine(({ to }) => to.length > 0, { path: ['to'], error: 'Needs one address at least' })
  .refine(({ to, cc = [], bcc = [] }) => to.length + cc.length + bcc.length <= mostRecipients, {
    path: ['to'],
    error: `Must be at most ${mostRecipients} recipients, together with cc and bcc`,
  })
  .refine(({ reply_to = [] }) => !reply_to.some(needsUtf8), {
    path: ['reply_to'],
    error: 'Must have none but ASCII letters before the @',
  })
export type NewMail = z.output<typeof NewMail>

const serverReply = {
  code: z.int().describe('SMTP reply code, such as 250'),
  enhanced: z.string().nullable().describe('Enhanced status code (RFC 3463), such as `2.0.0`; null if there is none'),
  text: z
    .string()
    .describe('Text of the reply, at most 1000 characters. Many providers put their own id of the mail into it'),
}

export const sent = {
  message_id: z.string().describe('The Message-ID header, without its angle brackets'),
  rejected: z.array(z.string()).describe('The recipients that the server refused; it took the mail for all others'),
  reply: z.object(serverReply).describe("The server's reply to the whole message"),
  recipients: z
    .array(z.object({ address: z.string(), ...serverReply }))
    .describe("The server's reply about each recipient: to, then cc, then bcc. A code of 400 or more is a refusal"),
}

export const Listed = z.object({
  to: z.string().max(500).optional().describe('A part of an address that it went to, as To, Cc or Bcc'),
  subject: z.string().max(998).optional().describe('A part of the subject'),
  ...paging(),
  count,
})

export const ById = z.object({ id: z.string().min(1).max(100) })

export const CaughtMail = z.object({
  id: z.string(),
  from: z.string().describe('As the header has it'),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
  attachments: z.array(
    z.object({ filename: z.string().nullable(), content_type: z.string(), size: z.int(), cid: z.string().nullable() }),
  ),
  headers: z.record(z.string(), z.string()).describe('By lower-case name; the first of each'),
  envelope: z
    .object({ from: z.string(), to: z.array(z.string()) })
    .describe('Whom the server was told it is from and for; bcc is here alone'),
  size: z.int().describe('Bytes, as it came'),
  created_at: Time,
})

export const CaughtPage = z.object({
  messages: z.array(CaughtMail),
  nb_results: z.int(),
  has_more: z.literal(true).optional(),
})

export const CaughtReply = z.object({ message: CaughtMail })
