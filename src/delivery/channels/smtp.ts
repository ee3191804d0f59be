import type { MessageOutcome } from '../ledger/settling.ts'

/** A refusal of the SMTP server: its reply code, its enhanced status code (RFC 3463), and what it was a reply to. */
interface SmtpRefusal {
  code: number
  enhanced: string | null | undefined
  step: string
}

/** Steps that concern one mail or its recipient; all others concern any mail. */
const ownSteps = new Set(['recipients', 'data', 'message'])

const refused: MessageOutcome = { state: 'failed', reason: 'refused', isAnswered: true }
const throttled: MessageOutcome = { state: 'held', reason: 'quota', hold: 'quota', isThrottled: true }
const outOfQuota: MessageOutcome = { state: 'held', reason: 'quota', hold: 'quota' }
const down: MessageOutcome = { state: 'held', reason: 'smtp_failed', hold: 'outlet_open' }

/**
 * Whose fault a refusal is. The enhanced status code decides: subjects 1 and 2 concern the recipient's address and
 * mailbox, 4.5 and 5.3 are limits of the sender, 7 is policy. Without one, a permanent refusal of one mail is that mail's
 * own fault, and a temporary one means that the server wants fewer mails, unless it is about a recipient.
 */
export function outcomeOfSmtp({ code, enhanced, step }: SmtpRefusal): MessageOutcome {
  const [, subject = '', detail = ''] = (enhanced ?? '').split('.')
  const condition = `${subject}.${detail}`
  const isForNow = code < 500
  if (condition === '4.5' || condition === '5.3') return isForNow ? throttled : outOfQuota
  if (code === 421) return throttled
  if (!ownSteps.has(step)) return isForNow && step !== 'login' ? throttled : down
  if (isForNow && (subject === '1' || subject === '2')) return { state: 'again', reason: 'refused' }
  // Greylisting, a name server that is down, a mailbox's own limit.
  if (isForNow && step === 'recipients' && subject !== '5')
    return { ...outOfQuota, reason: 'refused', doubt: 'temporary' }
  if (isForNow) return { ...throttled, reason: 'refused', doubt: 'temporary' }
  // The sender's address.
  if (condition === '1.7' || condition === '1.8') return down
  if (subject === '7') return { ...down, reason: 'refused', doubt: 'policy' }
  if (subject === '3' && detail !== '4') return { ...down, reason: 'refused', doubt: 'policy' }
  return refused
}
