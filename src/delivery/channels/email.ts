import { soundLine } from '#core/template/sound'
import { defaultLocale } from '../env.ts'
import type { MessageOutcome } from '../ledger/settling.ts'
import { targets } from '../recipients.ts'
import type { Send } from './ask.ts'
import { askChannel, type ChannelAnswer, isAnswer, refusedBy } from './ask.ts'
import { outcomeOfSmtp } from './smtp.ts'

/** One mail to one recipient; its subject is one line, whatever was put into it. */
export const sendEmail: Send = async (env, texts, recipient, key) => {
  const to = targets.email(recipient)
  const subject = await texts.render('email_subject', recipient, defaultLocale(env))
  const html = await texts.render('email_html', recipient, defaultLocale(env))
  const line = subject && soundLine(subject)
  if (!to || !line || !html?.trim()) return { state: 'skipped', reason: 'no_text' }
  const asked = await askChannel(env, 'email', { path: '/smtp', body: { to: [to], subject: line, html }, key })
  return isAnswer(asked) ? outcomeOf(asked) : asked
}

function outcomeOf(answered: ChannelAnswer): MessageOutcome {
  const { status, reply } = answered
  if (status === 201) return isRejected(answered) ? refused : { state: 'sent' }
  const { smtp, step = '', reply: said } = reply.content ?? {}
  if (status === 502 && smtp !== undefined) return outcomeOfSmtp({ code: smtp, enhanced: said?.enhanced, step })
  // The mail component itself is busy.
  if (status === 503 && reply.status_code === 'unavailable')
    return { state: 'held', reason: 'unavailable', hold: 'quota', isThrottled: true }
  return refusedBy(answered)
}

const refused: MessageOutcome = { state: 'failed', reason: 'refused', isAnswered: true }

const isRejected = ({ reply }: ChannelAnswer) => (reply.content?.rejected ?? []).length > 0
