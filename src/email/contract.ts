// Schemas of the parameters and replies of the email API.
import * as z from 'zod'
import { count, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { type Mailbox, needsUtf8, parseMailbox, splitList } from '#core/messages/mailbox'
import { isBase64 } from './base64.ts'

const own = new Set([
  ...['from', 'sender', 'to', 'cc', 'bcc', 'reply-to', 'subject', 'date', 'message-id', 'mime-version'],
  ...['received', 'return-path', 'delivered-to', 'dkim-signature', 'domainkey-signature', 'authentication-results'],
])

/**
 * Whether the component or a mail server sets this header. A request must not set it, as a second one would make the mail
 * invalid or forged.
 */
const isOwnHeader = (name: string) => own.has(name.toLowerCase()) || /^(content|resent|arc)-/i.test(name)

const maxRecipients = 100
const maxAttachments = 100

const oneLine = (max: number) => text(max).regex(/^\P{Cc}*$/u, 'Must be one line, without control characters')

const badAddress = 'Must be an address, or a name and an address: Name <address>'

const Addresses = z.union([z.string(), z.array(z.string())], {
  error: ({ input }) => (input === undefined ? 'Is required' : 'Must be a string or an array of strings'),
})

// One transform checks the number, the list and the addresses, so that the refinements below always get mailboxes.
const recipients = (description: string, addresses = Addresses) =>
  addresses
    .transform((input, { addIssue }) => {
      const isList = typeof input === 'string'
      const items = isList ? splitList(input) : input
      if (items.length > maxRecipients) {
        addIssue({ code: 'custom', message: `Must have at most ${maxRecipients} addresses` })
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
    .describe(description)

const Sender = oneLine(1_000)
  .meta({ examples: ['Shop <shop@example.com>'] })
  .transform((input, { addIssue }): Mailbox => {
    const mailbox = input.isWellFormed() ? parseMailbox(input) : undefined
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
    'Must not be multipart/* or message/*, which cannot be encoded',
  )

export const Attachment = z
  .object({
    filename: oneLine(255).min(1).describe('Name of the file for the recipient, 1 to 255 characters in any script'),
    content: z
      .string()
      .refine(isBase64, 'Must be base64, padded and without line breaks')
      .optional()
      .describe('The file in padded base64 without line breaks. Either `content` or `digest` is required'),
    digest: z
      .string()
      .regex(/^[\w-]{1,255}$/, 'Must be the digest of a file')
      .optional()
      .describe('Digest of a file of the media component, instead of `content`'),
    content_type: ContentType.optional().describe(
      'Media type. Default: that of the media file, or else the one of the extension in `filename`',
    ),
    cid: z
      .string()
      .regex(/^[\w.+-]{1,100}(@[\w.-]{1,100})?$/, 'Must be letters, digits and . _ + - @')
      .optional()
      .describe('Content id of an inline picture, which the HTML shows with `<img src="cid:…">`'),
  })
  .refine(({ content, digest }) => (content === undefined) !== (digest === undefined), {
    path: ['content'],
    error: 'Either content or digest is required, but not both',
  })
export type Attachment = z.output<typeof Attachment>

const HeaderName = z
  .string()
  .regex(/^[a-z0-9][\w-]{0,75}$/i, 'Must be letters, digits, _ and -')
  .refine((name) => !isOwnHeader(name), 'Is a header that the component or a mail server sets. Leave it out')

const HeaderValue = oneLine(5_000)
  .min(1)
  .refine((value) => !/\S{901}/.test(value), 'Must not have a word of more than 900 characters')

const Body = text(1_000_000)

export const NewMail = z
  .object({
    subject: oneLine(998).describe('Subject: one line, at most 998 characters'),
    to: recipients(
      'Recipients: addresses or `Name <address>`, as an array or separated by commas. At most 100 together with cc and bcc. All appear in the message',
      Addresses.meta({ examples: ['Ann <ann@example.com>, bob@example.com', ['ann@example.com']] }),
    ),
    from: Sender.optional().describe(
      'Sender: an address or `Name <address>`. The address must be that of EMAIL_FROM or one of EMAIL_SENDERS. Default: EMAIL_FROM',
    ),
    text: Body.optional().describe('Plain text, at most 1000000 characters. Default: made from `html`'),
    html: Body.optional().describe(
      'HTML, at most 1000000 characters. Pictures are attachments (`cid:`) or public URLs',
    ),
    signature_enabled: z.boolean().default(true).describe('If `false`, the configured signature is not appended'),
    cc: recipients('Recipients of a copy, visible to all recipients. Format as `to`').optional(),
    bcc: recipients('Recipients of a blind copy, who appear in no header. Format as `to`').optional(),
    reply_to: recipients('Addresses for replies. Format as `to`; only ASCII letters before the @').optional(),
    headers: z
      .record(HeaderName, HeaderValue, {
        error: ({ code, issues }) => (code === 'invalid_key' ? issues[0]?.message : undefined),
      })
      .refine((headers) => Object.keys(headers).length <= 50, 'Must have at most 50 headers')
      .default({})
      .describe(
        'Additional headers by name, at most 50. Headers that the component sets, such as From, Date or Content-Type, are not allowed',
      )
      .meta({ examples: [{ 'List-Unsubscribe': '<https://example.com/u/1>' }] }),
    attachments: z
      .array(Attachment)
      .max(maxAttachments)
      .default([])
      .describe(`Attachments and inline pictures, at most ${maxAttachments} files and 25 MB together`),
  })
  .refine(({ text, html }) => Boolean(text || html), { path: ['text'], error: 'Is required unless there is html' })
  .refine(({ to }) => to.length > 0, { path: ['to'], error: 'Must have at least one address' })
  .refine(({ to, cc = [], bcc = [] }) => to.length + cc.length + bcc.length <= maxRecipients, {
    path: ['to'],
    error: `Must have at most ${maxRecipients} addresses together with cc and bcc`,
  })
  .refine(({ reply_to = [] }) => !reply_to.some(needsUtf8), {
    path: ['reply_to'],
    error: 'Must have only ASCII letters before the @',
  })
export type NewMail = z.output<typeof NewMail>

const serverReply = {
  code: z.int().describe('SMTP reply code, such as 250'),
  enhanced: z.string().nullable().describe('Enhanced status code (RFC 3463), such as `2.0.0`; null if there is none'),
  text: z
    .string()
    .describe(
      'Text of the reply, at most 1000 characters, with addresses masked as `***`. Many providers return their id of the mail here',
    ),
}

export const sent = {
  message_id: z.string().describe('The Message-ID header, without its angle brackets'),
  rejected: z
    .array(z.string())
    .describe('Recipients that the server rejected, as written in the request. All others were accepted'),
  server: z.string().describe('Name of the SMTP server that accepted the mail; `default` unless SMTP_SERVERS is set'),
  reply: z.object(serverReply).describe("The server's reply to the whole message"),
  recipients: z
    .array(z.object({ address: z.string().describe('Recipient, as written in the request'), ...serverReply }))
    .describe(
      "The server's reply about each recipient: to, then cc, then bcc. A code of 400 or more rejects the recipient",
    ),
}

export const CaughtQuery = z.object({
  to: z.string().max(500).optional().describe('Only mails to an address that contains this text, in To, Cc or Bcc'),
  subject: z.string().max(998).optional().describe('Only mails whose subject contains this text'),
  ...paging(),
  count,
})

export const ById = z.object({ id: z.string().min(1).max(100).describe('Id of the caught mail') })

export const CaughtMail = z.object({
  id: z.string().describe('Id of the caught mail'),
  from: z.string().describe('Sender, from the From header'),
  to: z.array(z.string()).describe('Recipients, from the To header'),
  cc: z.array(z.string()).describe('Recipients of copies, from the Cc header'),
  subject: z.string().describe('Subject'),
  text: z.string().describe('Plain text'),
  html: z.string().nullable().describe('HTML; null if there is none'),
  attachments: z
    .array(
      z.object({
        filename: z.string().nullable().describe('Name of the file; null if it has none'),
        content_type: z.string().describe('Media type'),
        size: z.int().describe('Size of the file in bytes'),
        cid: z.string().nullable().describe('Content id of an inline picture; null for other files'),
      }),
    )
    .describe('Attachments and inline pictures, without their content'),
  headers: z.record(z.string(), z.string()).describe('Headers by lower-case name; of repeated headers the first'),
  envelope: z
    .object({
      from: z.string().describe('Address of MAIL FROM'),
      to: z.array(z.string()).describe('Addresses of RCPT TO'),
    })
    .describe('SMTP envelope. Recipients of bcc appear only here'),
  size: z.int().describe('Size of the source in bytes'),
  created_at: Time.describe('When the mail was caught'),
})

export const CaughtPage = z.object({
  messages: z.array(CaughtMail),
  nb_results: z.int(),
  has_more: z.literal(true).optional(),
})

export const CaughtDeletion = z.object({ deleted: z.int() })

export const CaughtReply = z.object({ message: CaughtMail })
