import { Failure, invalid, notConfigured } from '#core/failure'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import { type Mailbox, needsUtf8 } from '#core/messages/mailbox'
import { counter } from '#core/metrics/families'
import type { Env } from './bindings.ts'
import type { NewMail } from './contract.ts'
import { signatureOf, signerOf } from './dkim.ts'
import { type ComposedMail, writeMessage } from './message.ts'
import { type MimePart, partsOf } from './parts.ts'
import { plainTextOf } from './plain-text.ts'
import { chooseSender, domainOf, type SmtpServer, serverOf } from './settings.ts'
import { signHtml, signText } from './signature.ts'
import { Conversation, isRefusal, type Patience, usualPatience } from './smtp/conversation.ts'
import { type RecipientReply, refusalOf, SmtpFailure } from './smtp/failure.ts'
import type { ServerReply } from './smtp/reply.ts'

/** What became of a mail that the server took for one recipient at least. */
interface Sent {
  message_id: string
  /** As the caller wrote them. */
  rejected: string[]
  /** The server's reply to the whole message. */
  reply: ServerReply
  recipients: RecipientReply[]
}

interface Sending {
  /** Without its angle brackets. */
  messageId: (domain: string) => string
  /** Resolves when the message may go out. */
  markPointOfNoReturn: MarkPointOfNoReturn
  patience?: Patience
}

const countMail = counter(
  'quartermaster_email_mails_total',
  'Mails that were given to the SMTP server: sent, or failed where it took them for nobody.',
)

/** Sends a mail as one message to all its recipients. */
export async function sendMail(
  env: Env,
  mail: NewMail,
  { messageId, markPointOfNoReturn, patience }: Sending,
): Promise<Sent> {
  const server = serverOf(env)
  const from = chooseSender(env, mail.from)
  const signer = signerOf(env)
  const message = messageOf(env, mail, from, messageId(domainOf(from)), await partsOf(env, mail.attachments))
  const head = signer ? await signatureOf(writeMessage(message), signer) : ''
  return { message_id: message.id, ...(await deliver(server, { mail, message, head, markPointOfNoReturn }, patience)) }
}

function messageOf(env: Env, mail: NewMail, from: Mailbox, id: string, parts: MimePart[]): ComposedMail {
  const { subject, to, cc = [], reply_to: replyTo = [], headers } = mail
  const boundary = crypto.randomUUID()
  return { id, date: new Date(), boundary, from, to, cc, replyTo, subject, headers, ...bodiesOf(env, mail), parts }
}

/** What is read: the html, and a text for who does not read html, each with its signature. */
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
  /** What goes before the message. */
  head: string
  markPointOfNoReturn: MarkPointOfNoReturn
}

/** Hands a message to the server; throws a `Failure` if the server takes it for no recipient. */
async function deliver(server: SmtpServer, delivery: Delivery, patience = usualPatience) {
  const { mail, message, head, markPointOfNoReturn } = delivery
  const recipients = recipientsOf(mail)
  const conversation = new Conversation(server, patience)
  try {
    await conversation.open(domainOf(message.from))
    requireUtf8(conversation, mail, message.from)
    await conversation.login()
    const envelope = { from: message.from.address, to: [...recipients.keys()], size: leastSize(message) }
    const accepted = await conversation.send(envelope, join(head, writeMessage(message)), markPointOfNoReturn)
    conversation.leave()
    countMail({ outcome: 'sent' })
    const replies = accepted.recipients.map((reply) => ({ ...reply, address: recipients.get(reply.address)! }))
    const rejected = replies.filter(isRefusal).map(({ address }) => address)
    return { rejected, reply: accepted.reply, recipients: replies }
  } catch (error) {
    if (isOrderly(error)) await conversation.quit()
    else conversation.abort()
    countMail({ outcome: 'failed' })
    throw error instanceof SmtpFailure ? refusalOf(error) : error
  }
}

/** Whether the connection is still good: the server has refused, or cannot do what the mail needs. */
const isOrderly = (error: unknown) =>
  Failure.is(error) || (error instanceof SmtpFailure && (error.reason === 'refused' || error.reason === 'unable'))

/** All whom a mail is for, each once: their addresses, and how they were written. */
const recipientsOf = ({ to, cc = [], bcc = [] }: NewMail): Map<string, string> =>
  new Map([...to, ...cc, ...bcc].map(({ address, written }) => [address, written]))

/** Refuses addresses that go over none but a server with SMTPUTF8 (RFC 6531), where it is not one. */
function requireUtf8(conversation: Conversation, { to, cc = [], bcc = [] }: NewMail, from: Mailbox) {
  if (conversation.has('SMTPUTF8')) return
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

/** Bytes that a message has at the least, encoded: 57 of a file make a line of 78. */
const leastSize = ({ text, html, parts }: ComposedMail) =>
  parts.reduce((sum, { size }) => sum + Math.floor(size / 57) * 78, text.length + html.length)

async function* join(head: string, message: AsyncIterable<string>) {
  yield head
  yield* message
}
