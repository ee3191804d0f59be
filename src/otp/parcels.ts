import { publicTarget } from '#core/outgoing/peer'
import type { Env } from './bindings.ts'
import type { OtpChannel } from './channels.ts'
import type { NewCall, NewChatMessage, NewEmail, NewSms } from './contract.ts'
import { checkBot, selfUrl } from './env.ts'
import { proofHeader, proofOf } from './proof.ts'
import type { SealedTask } from './tasks.ts'

/** The blacklist does not hold for passwords, which were asked for. One that arrives twice does no harm, one that never does. */
const always = { force: true, allow_duplicates: true }

/** A password by SMS. */
export const bySms = (env: Env, { phone, message }: NewSms): SealedTask =>
  to(env, { channel: 'sms', component: 'sms', path: '/sms' }, { phones: phone, message, ...always })

/** A password by a call, which speaks its characters one by one. */
export const byCall = (env: Env, { phone, password }: NewCall): SealedTask => {
  const message = [...password].join(', ')
  return to(
    env,
    { channel: 'call', component: 'sms', path: '/call' },
    { phones: phone, message, ...always, provider: 'provider_a' },
  )
}

export const byEmail = (env: Env, { email, subject, text, html }: NewEmail): SealedTask =>
  to(
    env,
    { channel: 'email', component: 'email', path: '/smtp' },
    { to: email, subject, ...(text && { text }), ...(html && { html }) },
  )

/** A message of the bot's, which this component sends itself when the queue calls, unless the password has expired by then. */
export async function byChat(
  env: Env,
  { chat_id, message }: Pick<NewChatMessage, 'chat_id' | 'message'>,
  expires_at: Date,
): Promise<SealedTask> {
  // What the bot could not send is not taken.
  checkBot(env)
  const json = { chat_id, text: message, expires_at: expires_at.getTime() }
  const secret_headers = { [proofHeader]: await proofOf(env, json) }
  return { channel: 'chatapp', url: `${selfUrl(env)}/chatapp/delivery`, json, secret_headers }
}

interface Destination {
  channel: OtpChannel
  component: 'sms' | 'email'
  path: string
}

function to(env: Env, { channel, component, path }: Destination, json: Record<string, unknown>): SealedTask {
  const { url, credentials } = publicTarget({ ...env }, component)
  return { channel, url: url + path, json, secret_headers: credentials }
}
