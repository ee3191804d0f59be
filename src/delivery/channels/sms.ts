// Sends one message of a delivery through the SMS component, and derives its outcome from the reply.
import { defaultLocale } from '../env.ts'
import type { MessageOutcome } from '../ledger/settlement.ts'
import { targets } from '../recipients.ts'
import type { Send } from './channel-call.ts'
import { type ChannelResponse, callChannel, isReply, outcomeOfError } from './channel-call.ts'

/** Sends the SMS to a recipient. A phone on the blacklist gets the outcome `skipped`. */
export const sendSms: Send = async (env, texts, recipient, key) => {
  const phone = targets.sms(recipient)
  const message = await texts.render('sms_message', recipient, defaultLocale(env))
  if (!phone || !message?.trim()) return { state: 'skipped', reason: 'no_text' }
  const response = await callChannel(env, 'sms', { path: '/sms', body: { phones: [phone], message }, key })
  return isReply(response) ? outcomeOf(response) : response
}

/** Reasons of a failed SMS that concern the message or its phone: a retry would fail too. */
const ownReasons = new Set(['phone', 'text', 'forbidden', 'rejected', 'sender'])

function outcomeOf(response: ChannelResponse): MessageOutcome {
  const { status, reply } = response
  const { state, reason } = reply.content?.messages?.[0] ?? {}
  if (state === 'failed' && (status === 200 || status === 502)) return outcomeOfFailed(reason)
  if (status !== 200) return outcomeOfError(response)
  if (state === 'sent') return { state }
  if (state === 'blacklisted') return { state: 'skipped', reason: state }
  return { state: 'unknown', reason: state === 'unknown' ? 'timeout' : 'unreadable', hold: 'outlet_open' }
}

/**
 * The outcome of an SMS that the provider rejected. A reason that is not in `ownReasons` concerns the provider, so the channel
 * is held.
 */
function outcomeOfFailed(reason = 'sms_failed'): MessageOutcome {
  if (ownReasons.has(reason)) return { state: 'failed', reason: 'refused', isAnswered: reason !== 'phone' }
  if (reason === 'throttled') return { state: 'held', reason, hold: 'quota', isThrottled: true }
  return { state: 'held', reason, hold: reason === 'balance' ? 'quota' : 'outlet_open' }
}
