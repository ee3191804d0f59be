import { encodeWord } from 'nodemailer/lib/mime-funcs'
import MimeNode, { type MimeNodeHeader } from 'nodemailer/lib/mime-node'
import { encode, wrap } from 'nodemailer/lib/qp'
import type { Mailbox } from '#core/messages/mailbox'
import { wrapBase64 } from './base64.ts'
import type { MimePart } from './parts.ts'

/** All that a message is made of: what it says, once and for all, so that it is the same however often it is written. */
export interface ComposedMail {
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
  text: string
  html: string
  parts: MimePart[]
}

/** The message in its Internet form (RFC 5322, RFC 2045), the same each time it is read: in pieces of any length. */
export function writeMessage(message: ComposedMail): AsyncGenerator<string> {
  const { boundary, headers } = message
  const entity = entityOf(message)
  const written = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]))
  const root = new MimeNode(entity.type, {
    baseBoundary: boundary,
    // In the case that they were given in.
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

/** What a message is, or a part of it: parts of its own, or what it says. */
interface Entity {
  type: string
  headers?: MimeNodeHeader[]
  filename?: string
  parts?: Entity[]
  content?: () => Iterable<string> | AsyncIterable<string>
}

/** The text, beside it the html with its pictures, and what is attached. */
function entityOf({ text, html, parts }: ComposedMail): Entity {
  const pictures = html ? parts.filter(({ cid }) => cid) : []
  const files = parts.filter((part) => !pictures.includes(part))
  const page = html ? [together(related, [textual('html', html), ...pictures.map(file)])] : []
  return together('mixed', [together('alternative', [textual('plain', text), ...page]), ...files.map(file)])
}

/** RFC 2387 requires the type of the root part. */
const related = 'related; type="text/html"'

/** Several as one; one alone stays what it is. */
const together = (kind: string, [first, ...others]: [Entity, ...Entity[]]): Entity =>
  others.length === 0 ? first : { type: `multipart/${kind}`, parts: [first, ...others] }

function textual(kind: string, text: string): Entity {
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

/** Words that need no encoding, of a length that lets a line be folded, with single spaces between. */
const plainLine = /^[!-~]{1,70}( [!-~]{1,70})*$/

/** Text for a header (RFC 2047), so that it is read as it was written: what looks like encoded words is encoded, too. */
const encodeLine = (text: string) =>
  plainLine.test(text) && !text.includes('=?') ? text : encodeWord(text, isLatin(text) ? 'Q' : 'B', 52)

/** Lines of no more than 76 printable characters, tabs among them, and none that a server could take for another's. */
const plainText = /^(?:[\t -~]{0,76}\r\n)*[\t -~]{0,76}$/

/** Text for the body of a part (RFC 2045), its line breaks those of the Internet: a lone CR would be one to some, and none to others. */
function encodeText(given: string): { encoding: '7bit' | 'quoted-printable' | 'base64'; content: string } {
  const text = given.replace(/\r\n?|\n/g, '\r\n')
  if (plainText.test(text)) return { encoding: '7bit', content: text }
  if (isLatin(text)) return { encoding: 'quoted-printable', content: wrap(encode(text), 76) }
  return { encoding: 'base64', content: [...wrapBase64(Buffer.from(text).toString('base64'))].join('') }
}

const isLatin = (text: string) => (text.match(/[^\p{ASCII}]/gu)?.length ?? 0) < text.length / 3
