// Authenticates two callers that have no credentials of the API: the queue, by a signature that this component made, and the
// bot platform, by its secret.
import { isSame } from '#core/access/constant-time'
import type { UnvalidatedRequest } from '#core/http/declaration'
import { requireQueueProof } from '#core/http/proof'
import type { Env } from './bindings.ts'
import { ChatDelivery } from './contract.ts'
import { failure } from './errors.ts'
import { keysOf, mac } from './password-crypto.ts'

/**
 * Signature of a queued message. Only this component can make it, so a callback that has it comes from a task of this
 * component.
 */
export const proofOf = async (env: Env, { chat_id, text, expires_at }: ChatDelivery): Promise<string> =>
  mac((await keysOf(env)).proof, [chat_id, text, String(expires_at)])

/** Header of a callback with the signature of the queued message. */
export const proofHeader = 'otp-proof'

/** Guard of `/chatapp/delivery`: accepts only a queued message with a valid signature. */
export const isQueue = requireQueueProof({ header: proofHeader, body: ChatDelivery, proofOf })

/** Header with the secret of the bot platform (Telegram Bot API, `setWebhook`). */
export const botHeader = 'x-telegram-bot-api-secret-token'

/**
 * Verifies the secret of the bot platform. Returns false if no secret is configured; the request then needs credentials of the
 * API.
 */
export async function isBotPlatform({ env, request }: UnvalidatedRequest<Env>): Promise<boolean> {
  const { CHATAPP_WEBHOOK_SECRET: secret } = env
  if (!secret) return false
  if (!(await isSame(request.headers.get(botHeader) ?? '', secret)))
    throw failure(
      'unauthorized',
      `Only the bot platform may call this webhook, with CHATAPP_WEBHOOK_SECRET in the header ${botHeader}.`,
    )
  return true
}
