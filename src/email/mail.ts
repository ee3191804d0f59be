// Sends one mail, for `POST /smtp`: builds the message, signs it with DKIM and transfers it to the SMTP server.
import { Failure, invalid, notConfigured } from '#core/failure'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import { type Mailbox, needsUtf8 } from '#core/messages/mailbox'
import { counter } from '#core/metrics/families'
import { attachmentsOf, type MimePart } from './attachments.ts'
import type { Env } from './bindings.ts'
import type { NewMail } from './contract.ts'
import { dkimHeaderOf, signerOf } from './dkim.ts'
import { type ComposedMail, writeMessage } from './mime-message.ts'
import { plainTextOf } from './plain-text.ts'
import { chooseSender, domainOf, type SmtpServer, serverOf } from './settings.ts'
import { signHtml, signText } from './signature.ts'
import { type RecipientReply, refusalOf, SmtpFailure } from './smtp/failure.ts'
import type { ServerReply } from './smtp/reply.ts'
import { defaultTimeouts, isRefusal, SmtpSession, type SmtpTimeouts } from './smtp/session.ts'

/** The reply to a mail that the server accepted for at least one recipient. */
interface SendResult {
  message_id: string
  /** Rejected recipients, as written in the request. */
  rejected: string[]
  /** The server's reply to the end of the message. */
  reply: ServerReply
  recipients: RecipientReply[]
}

interface SendOptions {
  /** Returns the Message-ID, without angle brackets, for the sender's domain. */
  messageId: (domain: string) => string
  /** Stores that the mail may be sent from now on. Until the promise resolves, nothing may be sent. */
  markPointOfNoReturn: MarkPointOfNoReturn
  timeouts?: SmtpTimeouts
}

const countMail = counter(
  'quartermaster_email_mails_total',
  'Mails by outcome: sent, or failed if the SMTP server accepted the mail for no recipient.',
)

/** Sends a mail as one message to all its recipients. Throws 502 `smtp_failed` or 504 `smtp_outcome_unknown`. */
export async function sendMail(
  env: Env,
  mail: NewMail,
  { messageId, markPointOfNoReturn, timeouts }: SendOptions,
): Promise<SendResult> {
  const server = serverOf(env)
  const from = chooseSender(env, mail.from)
  const signer = signerOf(env)
  const message = messageOf(env, mail, from, messageId(domainOf(from)), await attachmentsOf(env, mail.attachments))
  const head = signer ? await dkimHeaderOf(writeMessage(message), signer) : ''
  return { message_id: message.id, ...(await deliver(server, { mail, message, head, markPointOfNoReturn }, timeouts)) }
}

function messageOf(env: Env, mail: NewMail, from: Mailbox, id: string, parts: MimePart[]): ComposedMail {
  const { subject, to, cc = [], reply_to: replyTo = [], headers } = mail
  const boundary = crypto.randomUUID()
  return { id, date: new Date(), boundary, from, to, cc, replyTo, subject, headers, ...bodiesOf(env, mail), parts }
}

/** The text and the HTML of a mail, each with its signature. If the request has no text, it is made from the HTML. */
function bodiesOf(env: Env, { text, html = '', signature_enabled }: NewMail) {
  const { EMAIL_SIGNATURE_TEXT = '', EMAIL_SIGNATURE_HTML = '' } = signature_enabled ? env : {}
  return {
    text: signText(text || plainTextOf(html), EMAIL_SIGNATURE_TEXT),
    html: html && signHtml(html, EMAIL_SIGNATURE_HTML),
  }
}

interface Delivery {
  mail: NewMail
  message: ComposedMail
  /** The DKIM-Signature header, which is sent before the message. Empty without DKIM. */
  head: string
  markPointOfNoReturn: MarkPointOfNoReturn
}

/** Transfers a message to the SMTP server. Throws a `Failure` if the server accepts it for no recipient, or cannot be used. */
async function deliver(server: SmtpServer, delivery: Delivery, timeouts = defaultTimeouts) {
  const { mail, message, head, markPointOfNoReturn } = delivery
  const recipients = recipientsOf(mail)
  const session = new SmtpSession(server, timeouts)
  try {
    await session.open(domainOf(message.from))
    requireUtf8(session, mail, message.from)
    await session.login()
    const envelope = { from: message.from.address, to: [...recipients.keys()], size: minSizeOf(message) }
    const accepted = await session.send(envelope, join(head, writeMessage(message)), markPointOfNoReturn)
    session.leave()
    countMail({ outcome: 'sent' })
    const replies = accepted.recipients.map((reply) => ({ ...reply, address: recipients.get(reply.address)! }))
    const rejected = replies.filter(isRefusal).map(({ address }) => address)
    return { rejected, reply: accepted.reply, recipients: replies }
  } catch (error) {
    if (isSessionUsable(error)) await session.quit()
    else session.abort()
    countMail({ outcome: 'failed' })
    throw error instanceof SmtpFailure ? refusalOf(error) : error
  }
}

/**
 * Whether the connection still works after an error, so that the session ends with QUIT: the server only rejected the mail, or
 * lacks an extension.
 */
const isSessionUsable = (error: unknown) =>
  Failure.is(error) || (error instanceof SmtpFailure && (error.reason === 'refused' || error.reason === 'unable'))

/**
 * The recipients without duplicates: a map from each address to its form in the request. A duplicate would get the mail twice.
 */
const recipientsOf = ({ to, cc = [], bcc = [] }: NewMail): Map<string, string> =>
  new Map([...to, ...cc, ...bcc].map(({ address, written }) => [address, written]))

/** Throws 400 or 503 if an address has non-ASCII letters before the @ and the server does not support SMTPUTF8 (RFC 6531). */
function requireUtf8(session: SmtpSession, { to, cc = [], bcc = [] }: NewMail, from: Mailbox) {
  if (session.has('SMTPUTF8')) return
  if (needsUtf8(from))
    throw notConfigured('EMAIL_FROM must have only ASCII characters before the @: the SMTP server has no SMTPUTF8.')
  for (const [field, mailboxes] of Object.entries({ to, cc, bcc })) {
    const position = mailboxes.findIndex(needsUtf8)
    if (position !== -1)
      throw invalid(
        `${field}.${position}`,
        'Must have only ASCII characters before the @: the SMTP server has no SMTPUTF8.',
      )
  }
}

/** Lower bound of the message's size in bytes after encoding: each 57 bytes of a file become a line of 78 bytes. */
const minSizeOf = ({ text, html, parts }: ComposedMail) =>
  parts.reduce((sum, { size }) => sum + Math.floor(size / 57) * 78, text.length + html.length)

async function* join(head: string, message: AsyncIterable<string>) {
  yield head
  yield* message
}
