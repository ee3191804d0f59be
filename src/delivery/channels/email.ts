import { soundLine } from '#core/template/sound'
import { defaultLocale } from '../env.ts'
import type { Outcome } from '../ledger/settling.ts'
import { targets } from '../recipients.ts'
import type { Send } from '../sending.ts'
import { type Answered, askChannel, isAnswer, refusedBy } from './ask.ts'

/** One mail to one recipient; its subject is one line, whatever was put into it. */
export const sendEmail: Send = async (env, texts, recipient) => {
  const to = targets.email(recipient)
  const subject = await texts.render('email_subject', recipient, defaultLocale(env))
  const html = await texts.render('email_html', recipient, defaultLocale(env))
  const line = subject && soundLine(subject)
  if (!to || !line || !html?.trim()) return { state: 'skipped', reason: 'no_text' }
  const asked = await askChannel(env, 'email', '/smtp', { to: [to], subject: line, html })
  return isAnswer(asked) ? outcomeOf(asked) : asked
}

/** What lies in the mail or its recipient, so that it will not be otherwise later; a login or a sender concerns any mail. */
const own = new Set(['recipients', 'data', 'message'])

/** A server that says no to a mail for good (RFC 5321, section 4.2.1) is not asked again. */
function outcomeOf(answered: Answered): Outcome {
  const { status, reply } = answered
  if (status === 201) return isRejected(answered) ? { state: 'failed', reason: 'refused' } : { state: 'sent' }
  const { smtp = 0, step = '' } = reply.content ?? {}
  const isForGood = status === 502 && smtp >= 500 && own.has(step)
  return isForGood ? { state: 'failed', reason: 'refused' } : refusedBy(answered)
}

const isRejected = ({ reply }: Answered) => (reply.content?.rejected ?? []).length > 0
