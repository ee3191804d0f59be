import { describe, log } from '#core/http/log'
import { TemplateError } from '#core/template/template'
import type { Env } from './bindings.ts'
import type { Send } from './channels/ask.ts'
import { sendEmail } from './channels/email.ts'
import { sendRecord } from './channels/feed.ts'
import { sendSms } from './channels/sms.ts'
import type { Channel } from './contract.ts'
import type { Claimed } from './ledger/claims.ts'
import type { MessageOutcome } from './ledger/settling.ts'
import type { Recipient } from './recipients.ts'
import type { DeliveryTexts } from './texts.ts'

const sends: Record<Channel, Send> = { email: sendEmail, sms: sendSms, feed: sendRecord }

/** Sends a message that was claimed. It never throws. */
export async function sendMessage(
  env: Env,
  texts: DeliveryTexts,
  { channel, data, key }: Claimed,
): Promise<MessageOutcome> {
  try {
    return await sends[channel](env, texts, JSON.parse(data) as Recipient, key)
  } catch (error) {
    if (error instanceof TemplateError) return { state: 'failed', reason: 'render' }
    log('error', { component: 'delivery', route: '/slice', channel, ...describe(error) })
    return { state: 'unknown', reason: 'interrupted' }
  }
}
