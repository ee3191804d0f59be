// Sends one mail, for `POST /smtp`: builds the message, signs it with DKIM and transfers it to the SMTP server.
import { type Failure, invalid, notConfigured } from '#core/failure'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import { type Mailbox, needsUtf8 } from '#core/messages/mailbox'
import { counter } from '#core/metrics/families'
import { attachmentsOf, type MimePart } from './attachments.ts'
import type { Env } from './bindings.ts'
import type { NewMail } from './contract.ts'
import { dkimHeaderOf, signerOf } from './dkim.ts'
import { type ComposedMail, writeMessage } from './mime-message.ts'
import { dispatch } from './outlet/dispatch.ts'
import { plainTextOf } from './plain-text.ts'
import { serversOf } from './servers.ts'
import { chooseSender, domainOf, senderOf } from './settings.ts'
import { signHtml, signText } from './signature.ts'
import { encodeData } from './smtp/data-encoder.ts'
import { type RecipientReply, refusalOf, SmtpFailure } from './smtp/failure.ts'
import type { ServerReply } from './smtp/reply.ts'
import type { SmtpServer } from './smtp/server.ts'
import { isRefusal } from './smtp/session.ts'
import type { SmtpTimeouts } from './smtp/timeouts.ts'

/** The reply to a mail that the server accepted for at least one recipient. */
interface SendResult {
  message_id: string
  /** Rejected recipients, as written in the request. */
  rejected: string[]
  /** Name of the server that accepted the mail. */
  server: string
  /** The server's reply to the end of the message. */
  reply: ServerReply
  recipients: RecipientReply[]
}

interface SendOptions {
  /** Returns the Message-ID, without angle brackets, for the sender's domain. */
  messageId: (domain: string) => string
  /** Stores that the mail may be sent from now on. Until the promise resolves, nothing may be sent. */
  markPointOfNoReturn: MarkPointOfNoReturn
  /** Timeouts of a connection that is opened for this mail alone. Default: the mail is sent by a kept connection. */
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
  const servers = serversOf(env)
  const from = chooseSender(env, mail.from)
  const signer = signerOf(env)
  const message = messageOf(env, mail, from, messageId(domainOf(from)), await attachmentsOf(env, mail.attachments))
  const head = signer ? await dkimHeaderOf(writeMessage(message), signer) : ''
  return {
    message_id: message.id,
    ...(await deliver(env, servers, { mail, message, head, markPointOfNoReturn }, timeouts)),
  }
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
async function deliver(env: Env, servers: SmtpServer[], delivery: Delivery, timeouts: SmtpTimeouts | undefined) {
  const { mail, message, head, markPointOfNoReturn } = delivery
  const recipients = recipientsOf(mail)
  const size = minSizeOf(message)
  const job = {
    ...{
      clientName: domainOf(senderOf(env)),
      needsUtf8: [message.from, ...mail.to, ...(mail.cc ?? []), ...(mail.bcc ?? [])].some(needsUtf8),
    },
    envelope: { from: message.from.address, to: [...recipients.keys()], size },
  }
  const chunks = () => encodeData(join(head, writeMessage(message)))
  try {
    const accepted = await dispatch(env, servers, job, { size, chunks, markPointOfNoReturn }, timeouts)
    countMail({ outcome: 'sent' })
    const replies = accepted.recipients.map((reply) => ({ ...reply, address: recipients.get(reply.address)! }))
    const rejected = replies.filter(isRefusal).map(({ address }) => address)
    return { rejected, server: accepted.server, reply: accepted.reply, recipients: replies }
  } catch (error) {
    countMail({ outcome: 'failed' })
    if (!(error instanceof SmtpFailure)) throw error
    throw error.reason === 'no_utf8' ? utf8RefusalOf(mail, message.from) : refusalOf(error)
  }
}

/**
 * The recipients without duplicates: a map from each address to its form in the request. A duplicate would get the mail twice.
 */
const recipientsOf = ({ to, cc = [], bcc = [] }: NewMail): Map<string, string> =>
  new Map([...to, ...cc, ...bcc].map(({ address, written }) => [address, written]))

/** The error about an address with non-ASCII letters before the @, which the server does not support (RFC 6531). */
function utf8RefusalOf({ to, cc = [], bcc = [] }: NewMail, from: Mailbox): Failure {
  if (needsUtf8(from))
    return notConfigured('EMAIL_FROM must have only ASCII characters before the @: the SMTP server has no SMTPUTF8.')
  const fields = Object.entries({ to, cc, bcc })
  const [field, mailboxes] = fields.find(([, mailboxes]) => mailboxes.some(needsUtf8))!
  return invalid(
    `${field}.${mailboxes.findIndex(needsUtf8)}`,
    'Must have only ASCII characters before the @: the SMTP server has no SMTPUTF8.',
  )
}

/** Lower bound of the message's size in bytes after encoding: each 57 bytes of a file become a line of 78 bytes. */
const minSizeOf = ({ text, html, parts }: ComposedMail) =>
  parts.reduce((sum, { size }) => sum + Math.floor(size / 57) * 78, text.length + html.length)

async function* join(head: string, message: AsyncIterable<string>) {
  yield head
  yield* message
}
