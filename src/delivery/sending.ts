import { describe, log } from '#core/http/log'
import { TemplateError } from '#core/template/template'
import { sendEmail } from './channels/email.ts'
import { sendRecord } from './channels/feed.ts'
import { sendSms } from './channels/sms.ts'
import type { Channel } from './contract.ts'
import type { Env } from './env.ts'
import type { Claimed } from './ledger/claims.ts'
import type { Outcome } from './ledger/settling.ts'
import type { Recipient } from './recipients.ts'
import type { Texts } from './texts.ts'

/** Renders a message and hands it to its channel under an idempotency key; gives what is known of it then. */
export type Send = (env: Env, texts: Texts, recipient: Recipient, key: string) => Promise<Outcome>

const sends: Record<Channel, Send> = { email: sendEmail, sms: sendSms, feed: sendRecord }

/** Sends a message that was claimed. It never throws. */
export async function sendMessage(env: Env, texts: Texts, { channel, data, key }: Claimed): Promise<Outcome> {
  try {
    return await sends[channel](env, texts, JSON.parse(data) as Recipient, key)
  } catch (error) {
    if (error instanceof TemplateError) return { state: 'failed', reason: 'render' }
    log('error', { component: 'delivery', route: '/slice', channel, ...describe(error) })
    return { state: 'unknown', reason: 'interrupted' }
  }
}
