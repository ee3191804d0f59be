// Sends one message of a delivery through the email component, and derives its outcome from the reply.
import { soundLine } from '#core/template/sound'
import { defaultLocale } from '../env.ts'
import type { MessageOutcome } from '../ledger/settlement.ts'
import { targets } from '../recipients.ts'
import type { Send } from './channel-call.ts'
import { type ChannelResponse, callChannel, isReply, outcomeOfError } from './channel-call.ts'
import { outcomeOfSmtp } from './smtp.ts'

/** Sends the email to a recipient. Line breaks in the rendered subject become spaces, since a header has one line. */
export const sendEmail: Send = async (env, texts, recipient, key) => {
  const to = targets.email(recipient)
  const subject = await texts.render('email_subject', recipient, defaultLocale(env))
  const html = await texts.render('email_html', recipient, defaultLocale(env))
  const line = subject && soundLine(subject)
  if (!to || !line || !html?.trim()) return { state: 'skipped', reason: 'no_text' }
  const response = await callChannel(env, 'email', { path: '/smtp', body: { to: [to], subject: line, html }, key })
  return isReply(response) ? outcomeOf(response) : response
}

function outcomeOf(response: ChannelResponse): MessageOutcome {
  const { status, reply } = response
  if (status === 201) return isRejected(response) ? rejected : { state: 'sent' }
  const { smtp, step = '', reply: said } = reply.content ?? {}
  if (status === 502 && smtp !== undefined) return outcomeOfSmtp({ code: smtp, enhanced: said?.enhanced, step })
  // The email component sends fewer mails at the moment, since the server throttles.
  if (status === 502 && step === 'throttled')
    return { state: 'held', reason: 'quota', hold: 'quota', isThrottled: true }
  // The email component has too many mails in progress. Nothing is wrong with the mail server, so the component counts as
  // throttling.
  if (status === 503 && reply.status_code === 'unavailable')
    return { state: 'held', reason: 'unavailable', hold: 'quota', isThrottled: true }
  return outcomeOfError(response)
}

const rejected: MessageOutcome = { state: 'failed', reason: 'refused', isAnswered: true }

const isRejected = ({ reply }: ChannelResponse) => (reply.content?.rejected ?? []).length > 0
