import type { SMTPError } from 'nodemailer/lib/smtp-connection'
import { Failure } from '#core/failure'
import { Silence } from './conversation.ts'

/** Seconds after which a server that said "not now" may be asked again. */
const later = 60

/**
 * What a caller learns of a conversation that failed: 502 `smtp_failed` where the mail has certainly not gone out, since no
 * message had begun or the server refused it; else 504 `smtp_outcome_unknown`. What is no fault of the server's stays what it is.
 */
export function refusalOf(error: unknown, isBegun: boolean): unknown {
  if (!(error instanceof Silence || isOfServer(error))) return error
  const { responseCode: smtp = 0, code, command } = error instanceof Silence ? {} : error
  const isRefused = smtp >= 400 && smtp < 600
  const cause = new Error(['SMTP', error.name, code, command, smtp || ''].join(' ').trim())
  if (isBegun && !(isRefused && code === 'EMESSAGE')) {
    const message = 'The SMTP server broke off within the message: whether it was taken is not known'
    return new Failure('upstream_timeout', message, { code: 'smtp_outcome_unknown', cause })
  }
  if (isTooLarge(error)) return new Failure('too_large', 'The message is larger than what the SMTP server takes')
  return new Failure('upstream_failed', `The SMTP server ${whatItDid(error)}`, {
    code: 'smtp_failed',
    undone: true,
    // Not the error itself, which has the server's words, and they have addresses.
    cause,
    ...(isRefused && { content: { smtp } }),
    ...(isRefused && smtp < 500 && { retryAfter: later }),
  })
}

const isOfServer = (error: unknown): error is SMTPError =>
  error instanceof Error && !Failure.is(error) && 'code' in error && typeof error.code === 'string'

/** It was not asked: it has said what it takes (RFC 1870). */
const isTooLarge = ({ code, command, responseCode }: Partial<SMTPError>) =>
  code === 'EMESSAGE' && command === 'MAIL FROM' && !responseCode

const ofCommand: Record<string, string> = {
  'MAIL FROM': 'refused the sender',
  'RCPT TO': 'refused every recipient',
  DATA: 'refused the message',
}

const ofCode: Record<string, string> = {
  EAUTH: 'refused the credentials',
  ETLS: 'has no TLS, or a certificate that is not valid for it',
  EPROTOCOL: 'refused, or did not speak SMTP',
}

function whatItDid(error: Error & Partial<SMTPError>): string {
  if (error instanceof Silence) return 'did not answer in time'
  const { command = '', code = '' } = error
  return ofCommand[command] ?? ofCode[code] ?? 'could not be reached, or broke off'
}
