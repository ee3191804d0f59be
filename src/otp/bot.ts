import { Failure } from '#core/failure'
import { call } from '#core/outgoing/call'
import type { Env } from './bindings.ts'
import { BotReply } from './contract.ts'
import { botUrl, isCaught } from './env.ts'
import { keepMessage } from './messages.ts'

/**
 * What became of a message: `refused` and `unknown` are final. `unknown` may have arrived. `later` has not, and may be tried
 * again after so many seconds.
 */
type BotOutcome = { state: 'sent' } | { state: 'refused' | 'unknown' } | { state: 'later'; seconds: number }

const limits = { timeout: 10_000, most: 65_536, redirects: 'same' as const }

/** Sends a text by the bot (Telegram Bot API, `sendMessage`), or keeps it. It never throws what the bot's address stands in. */
export async function sendMessage(env: Env, message: { chat_id: string; text: string }): Promise<BotOutcome> {
  if (isCaught(env)) {
    await keepMessage(env, message)
    return { state: 'sent' }
  }
  const url = `${botUrl(env)}/sendMessage`
  try {
    // The address is the operator's own, so that it may be a private one.
    const answer = await call({ ALLOW_PRIVATE_TARGETS: 'true' }, { method: 'POST', url, json: message }, limits)
    return outcomeOf(answer.status, new TextDecoder().decode(answer.body))
  } catch (error) {
    if (!Failure.is(error)) throw new Error('The bot could not be called')
    // A copy of a password does no harm, one that never comes does; though who has had time to send it most likely did.
    return error.status === 504 ? { state: 'unknown' } : { state: 'later', seconds: 1 }
  }
}

/** Success is any 2xx that does not say otherwise. What the platform cannot do now it can do later, what it will not do never. */
export function outcomeOf(status: number, body: string): BotOutcome {
  const reply = BotReply.safeParse(jsonIn(body)).data
  if (status >= 200 && status < 300) return { state: reply?.ok === false ? 'refused' : 'sent' }
  if (status === 504) return { state: 'unknown' }
  if (status === 429 || status >= 500) return { state: 'later', seconds: reply?.parameters?.retry_after ?? 1 }
  return { state: 'refused' }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
