import { defaultLocale } from '../env.ts'
import type { MessageOutcome } from '../ledger/settling.ts'
import { targets } from '../recipients.ts'
import type { Send } from './ask.ts'
import { askChannel, type ChannelAnswer, isAnswer, refusedBy } from './ask.ts'

/** One text message to one phone, unless it is on the blacklist. */
export const sendSms: Send = async (env, texts, recipient, key) => {
  const phone = targets.sms(recipient)
  const message = await texts.render('sms_message', recipient, defaultLocale(env))
  if (!phone || !message?.trim()) return { state: 'skipped', reason: 'no_text' }
  const asked = await askChannel(env, 'sms', { path: '/sms', body: { phones: [phone], message }, key })
  return isAnswer(asked) ? outcomeOf(asked) : asked
}

/** Reasons that concern the message or its phone, so that a repeat would fail too. */
const ownReasons = new Set(['phone', 'text', 'forbidden', 'rejected', 'sender'])

function outcomeOf(answered: ChannelAnswer): MessageOutcome {
  const { status, reply } = answered
  const { state, reason } = reply.content?.messages?.[0] ?? {}
  if (state === 'failed' && (status === 200 || status === 502)) return outcomeOfFailed(reason)
  if (status !== 200) return refusedBy(answered)
  if (state === 'sent') return { state }
  if (state === 'blacklisted') return { state: 'skipped', reason: state }
  return { state: 'unknown', reason: state === 'unknown' ? 'timeout' : 'unreadable', hold: 'outlet_open' }
}

/** All other reasons concern the provider. */
function outcomeOfFailed(reason = 'sms_failed'): MessageOutcome {
  if (ownReasons.has(reason)) return { state: 'failed', reason: 'refused', isAnswered: reason !== 'phone' }
  if (reason === 'throttled') return { state: 'held', reason, hold: 'quota', isThrottled: true }
  return { state: 'held', reason, hold: reason === 'balance' ? 'quota' : 'outlet_open' }
}
