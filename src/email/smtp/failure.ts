import type { Failure } from '#core/failure'
import { failure as errorOf } from '../errors.ts'
import type { ServerReply } from './reply.ts'

/** What is done with an SMTP server, in this order; `message` from the moment on at which it may have some of it. */
export type SmtpStep =
  | 'connect'
  | 'connect over TLS'
  | 'greeting'
  | 'hello'
  | 'starttls'
  | 'login'
  | 'sender'
  | 'recipients'
  | 'data'
  | 'message'

/** `late`: no answer in time; `lost`: the connection; `garbled`: no answer of SMTP; `unable`: it cannot do what is needed. */
export type SmtpFailureReason = 'refused' | 'late' | 'lost' | 'garbled' | 'unable'

/** The server's reply about one recipient. */
export interface RecipientReply extends ServerReply {
  address: string
}

/** A step that failed. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure'
  readonly step: SmtpStep
  readonly reason: SmtpFailureReason
  /** The server's reply, which no log may contain: it may have addresses in it. */
  readonly #reply: ServerReply | undefined
  readonly #recipients: RecipientReply[]

  constructor(step: SmtpStep, reason: SmtpFailureReason, reply?: ServerReply, recipients: RecipientReply[] = []) {
    super(`${step}: ${reason}${reply ? ` with ${reply.code}` : ''}`)
    this.step = step
    this.reason = reason
    this.#reply = reply
    this.#recipients = recipients
  }

  get reply(): ServerReply | undefined {
    return this.#reply
  }

  /** The replies about the recipients, as far as there were any. */
  get recipients(): RecipientReply[] {
    return this.#recipients
  }
}

/** Seconds after which a server that said "not now" may be asked again. */
const later = 60

/**
 * What a caller learns of it: 502 `smtp_failed` where the mail has certainly not gone out, since no message had begun or
 * the server refused it; else 504 `smtp_outcome_unknown`.
 */
export function refusalOf(failure: SmtpFailure): Failure {
  const { step, reason, reply } = failure
  if (step === 'message' && reason !== 'refused') return errorOf('smtp_outcome_unknown', undefined, { cause: failure })
  if (step === 'sender' && reason === 'unable')
    return errorOf('payload_too_large', 'The message is larger than the SMTP server allows.')
  return errorOf('smtp_failed', `The SMTP server ${whatItDid(step, reason)}.`, {
    undone: true,
    cause: failure,
    content: contentOf(failure),
    ...(reply && reply.code < 500 && { retryAfter: later }),
  })
}

const contentOf = ({ step, reply, recipients }: SmtpFailure) => ({
  step,
  ...(reply && { smtp: reply.code, reply }),
  ...(recipients.length > 0 && { recipients }),
})

const lost: Partial<Record<SmtpStep, string>> = {
  connect: 'could not be reached',
  'connect over TLS': 'could not be reached over TLS, with a certificate that is valid for its name',
}

const refused: Partial<Record<SmtpStep, string>> = {
  login: 'refused the credentials',
  sender: 'refused the sender',
  recipients: 'refused every recipient',
  data: 'refused the message',
  message: 'refused the message',
}

function whatItDid(step: SmtpStep, reason: SmtpFailureReason): string {
  if (reason === 'late') return 'did not answer in time'
  if (reason === 'garbled') return 'did not answer as SMTP has it'
  if (step === 'starttls') return 'has no STARTTLS, or no certificate that is valid for its name'
  if (step === 'login' && reason === 'unable') return 'offers neither AUTH PLAIN nor AUTH LOGIN'
  return (reason === 'lost' ? lost : refused)[step] ?? `${reason === 'lost' ? 'closed' : 'refused'} the connection`
}
