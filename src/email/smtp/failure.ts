// The error of a failed SMTP session, and its conversion to an error of the API: 502 if nothing was sent, 504 if the outcome is
// unknown.
import type { Failure } from '#core/failure'
import { failure as errorOf } from '../errors.ts'
import type { ServerReply } from './reply.ts'

/**
 * Steps of a session, in order. In `message` the server may have received a part of the message, so the outcome of a failure
 * can be unknown.
 */
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

/**
 * Why a step failed. `refused`: the server rejected it. `late`: no reply in time. `lost`: the connection broke. `garbled`: the
 * reply is not SMTP. `unable`: the server lacks an extension that the mail needs; `no_utf8`: it lacks SMTPUTF8.
 * `no_token`: there is no access token to log in with.
 */
export type SmtpFailureReason = 'refused' | 'late' | 'lost' | 'garbled' | 'unable' | 'no_utf8' | 'no_token'

/** The server's reply about one recipient. */
export interface RecipientReply extends ServerReply {
  address: string
}

/** Thrown if a step of the session fails. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure'
  readonly step: SmtpStep
  readonly reason: SmtpFailureReason
  /** The server's reply. Private, since it may contain addresses and must not appear in logs. */
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

  /** The replies about recipients that were received before the failure. */
  get recipients(): RecipientReply[] {
    return this.#recipients
  }
}

/** Value of `Retry-After` for temporary errors of the server (4xx replies), in seconds. */
const retryAfterSeconds = 60

/**
 * Converts a failed step to an error of the API. 502 `smtp_failed`: the mail was certainly not sent, because the message had
 * not begun or the server rejected it. Otherwise 504 `smtp_outcome_unknown`.
 */
export function refusalOf(failure: SmtpFailure): Failure {
  const { step, reason, reply } = failure
  if (step === 'message' && reason !== 'refused') return errorOf('smtp_outcome_unknown', undefined, { cause: failure })
  if (step === 'sender' && reason === 'unable')
    return errorOf('payload_too_large', 'The message is larger than the SMTP server allows.')
  return errorOf('smtp_failed', `The SMTP server ${describeFailure(step, reason)}.`, {
    undone: true,
    cause: failure,
    content: contentOf(failure),
    ...(reply && reply.code < 500 && { retryAfter: retryAfterSeconds }),
  })
}

const contentOf = ({ step, reply, recipients }: SmtpFailure) => ({
  step,
  ...(reply && { smtp: reply.code, reply }),
  ...(recipients.length > 0 && { recipients }),
})

const lost: Partial<Record<SmtpStep, string>> = {
  connect: 'could not be reached',
  'connect over TLS': 'could not be reached over TLS, or its certificate is not valid for SMTP_HOST',
}

const refused: Partial<Record<SmtpStep, string>> = {
  login: 'refused the credentials',
  sender: 'refused the sender',
  recipients: 'refused every recipient',
  data: 'refused the message',
  message: 'refused the message',
}

function describeFailure(step: SmtpStep, reason: SmtpFailureReason): string {
  if (reason === 'late') return 'did not answer in time'
  if (reason === 'garbled') return 'sent a reply that is not SMTP'
  if (step === 'starttls') return 'does not support STARTTLS, or its certificate is not valid for SMTP_HOST'
  if (step === 'login' && reason === 'unable')
    return 'offers no AUTH method for the credentials: PLAIN or LOGIN, or XOAUTH2 for OAuth'
  if (reason === 'no_token') return 'got no login, because the token endpoint returned no access token'
  return (reason === 'lost' ? lost : refused)[step] ?? `${reason === 'lost' ? 'closed' : 'refused'} the connection`
}
