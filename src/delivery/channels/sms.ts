import { defaultLocale } from '../env.ts'
import type { Outcome } from '../ledger/settling.ts'
import { targets } from '../recipients.ts'
import type { Send } from '../sending.ts'
import { type Answered, askChannel, isAnswer, refusedBy } from './ask.ts'

/** One text message to one phone, unless it is on the blacklist. */
export const sendSms: Send = async (env, texts, recipient) => {
  const phone = targets.sms(recipient)
  const message = await texts.render('sms_message', recipient, defaultLocale(env))
  if (!phone || !message?.trim()) return { state: 'skipped', reason: 'no_text' }
  const asked = await askChannel(env, 'sms', '/sms', { phones: [phone], message })
  return isAnswer(asked) ? outcomeOf(asked) : asked
}

/** What lies in the message or its phone, so that it will not be otherwise later. */
const forGood = new Set(['phone', 'text', 'forbidden', 'rejected', 'sender'])

function outcomeOf(answered: Answered): Outcome {
  const { status, reply } = answered
  const { state, reason } = reply.content?.messages?.[0] ?? {}
  if (status === 502 && state === 'failed' && reason && forGood.has(reason))
    return { state: 'failed', reason: 'refused' }
  if (status !== 200) return refusedBy(answered)
  if (state === 'sent') return { state }
  if (state === 'blacklisted') return { state: 'skipped', reason: state }
  if (state === 'failed') return { state: 'again', reason: reason ?? 'sms_failed' }
  return { state: 'unknown', reason: state === 'unknown' ? 'timeout' : 'unreadable' }
}
