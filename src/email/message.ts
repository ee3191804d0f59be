import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import type { Mailbox } from '#core/messages/mailbox'
import type { Part } from './parts.ts'

/** All that a message is made of: what it says, once and for all, so that it is the same however often it is written. */
export interface Message {
  /** Without its angle brackets. */
  id: string
  date: Date
  /** What the lines between its parts are made from. */
  boundary: string
  from: Mailbox
  to: Mailbox[]
  cc: Mailbox[]
  replyTo: Mailbox[]
  subject: string
  headers: Record<string, string>
  text: string | undefined
  html: string | undefined
  parts: Part[]
}

/** The message in its Internet form (RFC 5322, RFC 2045), byte by byte the same each time it is read. */
export function writeMessage(message: Message): AsyncIterable<Buffer> {
  const { id, date, boundary, from, to, cc, replyTo, subject, headers, text, html, parts } = message
  const written = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]))
  const root = new MailComposer({
    messageId: `<${id}>`,
    ...{ date, from, to, cc, replyTo },
    baseBoundary: boundary,
    headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
    // In the case that it was given in.
    normalizeHeaderKey: (name) => written.get(name.toLowerCase()) ?? name,
    ...(text && { text: withLines(text) }),
    ...(html && { html: withLines(html) }),
    attachments: parts.map(attachmentOf),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  root.setHeader('Subject', { prepared: true, foldLines: true, value: encodeLine(subject) })
  return root.createReadStream()
}

/** With the line breaks of the Internet: a lone CR would be one to some, and none to others. */
const withLines = (text: string) => text.replace(/\r\n?|\n/g, '\r\n')

const attachmentOf = ({ filename, contentType, cid, read }: Part) => ({
  filename,
  contentType,
  contentDisposition: cid ? 'inline' : 'attachment',
  contentTransferEncoding: 'base64',
  ...(cid && { cid }),
  content: Readable.from(read(), { objectMode: false }),
})

/** Words that need no encoding, of a length that lets a line be folded, with single spaces between. */
const plain = /^[!-~]{1,70}( [!-~]{1,70})*$/

/** Text for a header (RFC 2047), so that it is read as it was written: what looks like encoded words is encoded, too. */
const encodeLine = (text: string) =>
  plain.test(text) && !text.includes('=?') ? text : encodeWord(text, isLatin(text) ? 'Q' : 'B', 52)

const isLatin = (text: string) => text.replace(/[^\p{ASCII}]/gu, '').length > text.length / 2
