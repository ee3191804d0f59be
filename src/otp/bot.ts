// Sends messages through the messenger bot (Telegram Bot API). The queue calls it, and retries a message that the platform
// cannot take now. `webhook.ts` handles the messages that users write to the bot.
import { Failure } from '#core/failure'
import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import { log } from '#core/http/log'
import { call } from '#core/outgoing/call'
import type { Env } from './bindings.ts'
import { storeMessage } from './caught-messages.ts'
import type { ChatDelivery, ChatOutcome } from './contract.ts'
import { BotReply } from './contract.ts'
import { botUrl, keepsMessages } from './env.ts'
import { failure } from './errors.ts'

/**
 * Outcome of sending a message through the bot. `refused` and `unknown` are final; after `unknown` the message may have
 * arrived. After `later` the message has not arrived, and can be sent again after `seconds`.
 */
type BotOutcome = { state: 'sent' } | { state: 'refused' | 'unknown' } | { state: 'later'; seconds: number }

const limits = { timeout: 10_000, most: 65_536, redirects: 'same' as const }

/**
 * Sends a text through the bot (Telegram Bot API, `sendMessage`), or stores it on a local start without a bot. An error never
 * contains the bot's address, which contains its token.
 */
async function sendMessage(env: Env, message: { chat_id: string; text: string }): Promise<BotOutcome> {
  if (keepsMessages(env)) {
    await storeMessage(env, message)
    return { state: 'sent' }
  }
  const url = `${botUrl(env)}/sendMessage`
  try {
    // A private address is allowed: it comes from the operator's configuration and not from a caller.
    const answer = await call({ ALLOW_PRIVATE_TARGETS: 'true' }, { method: 'POST', url, json: message }, limits)
    return outcomeOf(answer.status, new TextDecoder().decode(answer.body))
  } catch (error) {
    if (!Failure.is(error)) throw new Error('The bot could not be called')
    // Other errors are retried, because a missing password is worse than a duplicate. After a timeout the platform has most
    // likely sent the message.
    return error.status === 504 ? { state: 'unknown' } : { state: 'later', seconds: 1 }
  }
}

/**
 * Derives the outcome from a response of the platform. 429 and 5xx are retried, other errors are final. A 2xx response with
 * `ok: false` is a rejection.
 */
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

/**
 * Sends a queued message through the bot, unless its password has expired. Throws 502 `chatapp_failed` if the queue should
 * retry.
 */
export async function sendQueuedMessage(
  env: Env,
  { chat_id, text, expires_at }: ChatDelivery,
  markPointOfNoReturn: MarkPointOfNoReturn,
): Promise<ChatOutcome> {
  if (expires_at <= Date.now()) return ended('expired')
  await markPointOfNoReturn()
  const outcome = await sendMessage(env, { chat_id, text })
  if (outcome.state !== 'later') return ended(outcome.state)
  if (expires_at <= Date.now() + outcome.seconds * 1_000) return ended('expired')
  throw failure('chatapp_failed', undefined, {
    retryAfter: outcome.seconds,
    undone: true,
  })
}

/** Logs an outcome other than `sent`. The queue does not retry these outcomes, so nothing else reports them. */
function ended(outcome: ChatOutcome): ChatOutcome {
  if (outcome !== 'sent') log('error', { component: 'otp', route: '/chatapp/delivery', outcome })
  return outcome
}
