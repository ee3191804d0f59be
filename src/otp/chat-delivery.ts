import type { MarkPointOfNoReturn } from '#core/http/idempotency'
import { log } from '#core/http/log'
import type { Env } from './bindings.ts'
import { sendMessage } from './bot.ts'
import type { ChatDelivery, ChatOutcome } from './contract.ts'
import { failure } from './errors.ts'

/** Sends a message of the bot's for the queue; refuses what the queue should try again. */
export async function deliverByChat(
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

/** The queue repeats none of these, so that this is where one learns of them. */
function ended(outcome: ChatOutcome): ChatOutcome {
  if (outcome !== 'sent') log('error', { component: 'otp', route: '/chatapp/delivery', outcome })
  return outcome
}
