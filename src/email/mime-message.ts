// Writes a mail as a MIME message (headers, text, HTML, inline pictures and attachments) in chunks, so that a large mail is
// never in memory as a whole.
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import MimeNode, { type MimeNodeHeader } from 'nodemailer/lib/mime-node'
import { encode, wrap } from 'nodemailer/lib/qp'
import type { Mailbox } from '#core/messages/mailbox'
import type { MimePart } from './attachments.ts'
import { wrapBase64 } from './base64.ts'

/**
 * The complete input of `writeMessage`. The same input gives the same bytes, because a mail is written twice: for the DKIM
 * signature and for the SMTP server.
 */
export interface ComposedMail {
  /** Message-ID without angle brackets. */
  id: string
  date: Date
  /** Prefix of the boundaries between the MIME parts. It is random, so that no part contains it. */
  boundary: string
  from: Mailbox
  to: Mailbox[]
  cc: Mailbox[]
  replyTo: Mailbox[]
  subject: string
  headers: Record<string, string>
  text: string
  html: string
  parts: MimePart[]
}

/** Writes a message (RFC 5322, RFC 2045) in chunks of any length. Deterministic: the same input gives the same bytes. */
export function writeMessage(message: ComposedMail): AsyncGenerator<string> {
  const { boundary, headers } = message
  const entity = entityOf(message)
  const written = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]))
  const root = new MimeNode(entity.type, {
    baseBoundary: boundary,
    // Keeps the caller's upper and lower case in header names; MimeNode would change it.
    normalizeHeaderKey: (name) => written.get(name.toLowerCase()) ?? name,
  })
  root.setHeader(headersOf(message))
  return write(root, entity)
}

const headersOf = ({ id, date, from, to, cc, replyTo, subject, headers }: ComposedMail): MimeNodeHeader[] => [
  { key: 'From', value: from },
  { key: 'To', value: to },
  ...(cc.length > 0 ? [{ key: 'Cc', value: cc }] : []),
  ...(replyTo.length > 0 ? [{ key: 'Reply-To', value: replyTo }] : []),
  { key: 'Subject', value: { prepared: true, foldLines: true, value: encodeLine(subject) } },
  { key: 'Message-ID', value: `<${id}>` },
  { key: 'Date', value: date },
  ...Object.entries(headers).map(([key, value]) => ({ key, value })),
]

/** MIME entity: a leaf with content, or a multipart with other entities. */
interface Entity {
  type: string
  headers?: MimeNodeHeader[]
  filename?: string
  parts?: Entity[]
  content?: () => Iterable<string> | AsyncIterable<string>
}

/**
 * Builds the tree of MIME entities: text and HTML as alternatives, inline pictures next to the HTML that shows them, other
 * files next to both.
 */
function entityOf({ text, html, parts }: ComposedMail): Entity {
  const pictures = html ? parts.filter(({ cid }) => cid) : []
  const files = parts.filter((part) => !pictures.includes(part))
  const page = html ? [multipart(related, [textPart('html', html), ...pictures.map(file)])] : []
  return multipart('mixed', [multipart('alternative', [textPart('plain', text), ...page]), ...files.map(file)])
}

/** Content type of the HTML with its pictures. RFC 2387 requires the type of the root part in it. */
const related = 'related; type="text/html"'

/** Wraps several entities in a multipart entity. A single entity is returned unchanged. */
const multipart = (kind: string, [first, ...others]: [Entity, ...Entity[]]): Entity =>
  others.length === 0 ? first : { type: `multipart/${kind}`, parts: [first, ...others] }

function textPart(kind: string, text: string): Entity {
  const { encoding, content } = encodeText(text)
  const headers = [{ key: 'Content-Transfer-Encoding', value: encoding }]
  return { type: `text/${kind}; charset=utf-8`, headers, content: () => [content] }
}

const file = ({ filename, contentType: type, cid, lines: content }: MimePart): Entity => ({
  ...{ type, filename, content },
  headers: [
    { key: 'Content-Transfer-Encoding', value: 'base64' },
    { key: 'Content-Disposition', value: cid ? 'inline' : 'attachment' },
    ...(cid ? [{ key: 'Content-ID', value: `<${cid}>` }] : []),
  ],
})

async function* write(
  node: MimeNode,
  { headers = [], parts = [], content = () => [] }: Entity,
): AsyncGenerator<string> {
  node.setHeader(headers)
  yield `${node.buildHeaders()}\r\n\r\n`
  yield* content()
  for (const part of parts) {
    const { type, filename } = part
    yield `\r\n--${node.boundary}\r\n`
    yield* write(node.createChild(type, filename === undefined ? {} : { filename }), part)
  }
  if (parts.length > 0) yield `\r\n--${node.boundary}--\r\n`
}

/**
 * Header text that needs no encoding: printable ASCII words of up to 70 characters, which header folding can break, separated
 * by single spaces.
 */
const plainLine = /^[!-~]{1,70}( [!-~]{1,70})*$/

/**
 * Encodes text for a header (RFC 2047). Text that looks like an encoded word is encoded too, otherwise mail programs would
 * decode it.
 */
const encodeLine = (text: string) =>
  plainLine.test(text) && !text.includes('=?') ? text : encodeWord(text, isLatin(text) ? 'Q' : 'B', 52)

/** Body text that can be sent without encoding: lines of up to 76 printable ASCII characters and tabs. */
const plainText = /^(?:[\t -~]{0,76}\r\n)*[\t -~]{0,76}$/

/**
 * Encodes the body of a text part (RFC 2045). All line breaks become CRLF, because servers treat a lone CR or LF differently.
 */
function encodeText(body: string): { encoding: '7bit' | 'quoted-printable' | 'base64'; content: string } {
  const text = body.replace(/\r\n?|\n/g, '\r\n')
  if (plainText.test(text)) return { encoding: '7bit', content: text }
  if (isLatin(text)) return { encoding: 'quoted-printable', content: wrap(encode(text), 76) }
  return { encoding: 'base64', content: [...wrapBase64(Buffer.from(text).toString('base64'))].join('') }
}

const isLatin = (text: string) => (text.match(/[^\p{ASCII}]/gu)?.length ?? 0) < text.length / 3
