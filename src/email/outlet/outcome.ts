// Classifies a failed message: whether the SMTP server works, throttles or fails.
import type { SmtpFailure, SmtpStep } from '../smtp/failure.ts'

/**
 * `answered`: the server works; if it rejected the message, the reason is the message or its recipients. `throttled`: the
 * server accepts fewer messages. `failed`: the server cannot be used.
 */
type ServerVerdict = 'answered' | 'throttled' | 'failed'

/** Steps whose failure concerns all mail, not only this one. */
const serverSteps = new Set<SmtpStep>(['connect', 'connect over TLS', 'greeting', 'hello', 'starttls', 'login'])

/**
 * The verdict about the server after a failed message. Temporary replies (RFC 5321, section 4.2.1) count as throttling, unless
 * their enhanced status code (RFC 3463) names the address (1), the mailbox (2) or a policy (7), as greylisting does.
 */
export function verdictOf({ step, reason, reply }: Pick<SmtpFailure, 'step' | 'reason' | 'reply'>): ServerVerdict {
  if (reason === 'no_utf8' || (reason === 'unable' && step === 'sender')) return 'answered'
  if (reason !== 'refused' || !reply) return 'failed'
  if (reply.code === 421) return 'throttled'
  if (reply.code >= 500) return serverSteps.has(step) ? 'failed' : 'answered'
  if (serverSteps.has(step) || step === 'sender') return 'throttled'
  const subject = reply.enhanced?.split('.')[1]
  if (subject === '1' || subject === '2' || subject === '7') return 'answered'
  // A recipient without an enhanced code is probably greylisted; 452 is the limit of recipients or of storage.
  return step === 'recipients' && !subject && reply.code !== 452 ? 'answered' : 'throttled'
}
