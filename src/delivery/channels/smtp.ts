// Derives the outcome of an email from the SMTP error in the email component's reply. This code does not talk to an SMTP
// server; the email component does.
import type { MessageOutcome } from '../ledger/settlement.ts'

/** An error reply of the SMTP server: its code, its enhanced status code (RFC 3463), and the step of the conversation. */
interface SmtpError {
  code: number
  enhanced: string | null | undefined
  step: string
}

/** Steps of the SMTP conversation that concern one mail or its recipient. An error in any other step concerns the server. */
const ownSteps = new Set(['recipients', 'data', 'message'])

const refused: MessageOutcome = { state: 'failed', reason: 'refused', isAnswered: true }
const throttled: MessageOutcome = { state: 'held', reason: 'quota', hold: 'quota', isThrottled: true }
const outOfQuota: MessageOutcome = { state: 'held', reason: 'quota', hold: 'quota' }
const down: MessageOutcome = { state: 'held', reason: 'smtp_failed', hold: 'outlet_open' }

/**
 * Classifies an error reply of the SMTP server. The enhanced status code decides: its subjects 1 and 2 concern the recipient's
 * address and mailbox, 4.5 and 5.3 are limits of the sender, 7 is policy. Without an enhanced code, a permanent error of one
 * mail concerns that mail only; a temporary error counts as throttling, unless it concerns a recipient.
 */
export function outcomeOfSmtp({ code, enhanced, step }: SmtpError): MessageOutcome {
  const [, subject = '', detail = ''] = (enhanced ?? '').split('.')
  const condition = `${subject}.${detail}`
  const isTemporary = code < 500
  if (condition === '4.5' || condition === '5.3') return isTemporary ? throttled : outOfQuota
  if (code === 421) return throttled
  if (!ownSteps.has(step)) return isTemporary && step !== 'login' ? throttled : down
  if (isTemporary && (subject === '1' || subject === '2')) return { state: 'again', reason: 'refused' }
  // The cause is greylisting, a name server that is down, or a full mailbox: the server may accept other recipients.
  if (isTemporary && step === 'recipients' && subject !== '5')
    return { ...outOfQuota, reason: 'refused', doubt: 'temporary' }
  if (isTemporary) return { ...throttled, reason: 'refused', doubt: 'temporary' }
  // The server rejects the address of the sender, which is the same in all mails: the channel is down.
  if (condition === '1.7' || condition === '1.8') return down
  if (subject === '7') return { ...down, reason: 'refused', doubt: 'policy' }
  if (subject === '3' && detail !== '4') return { ...down, reason: 'refused', doubt: 'policy' }
  return refused
}
