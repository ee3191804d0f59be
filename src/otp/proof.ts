// Authenticates two callers that have no credentials: the queue, by a signature of this component, and the bot
// platform, by its secret.
import { isSame } from '#core/access/constant-time'
import type { UnvalidatedRequest } from '#core/http/declaration'
import { requireQueueProof } from '#core/http/proof'
import type { Env } from './bindings.ts'
import { ChatDelivery } from './contract.ts'
import { failure } from './errors.ts'
import { keysOf, mac } from './password-crypto.ts'

/** Signature of a queued message, which only this component can create. */
export const proofOf = async (env: Env, { chat_id, text, expires_at }: ChatDelivery): Promise<string> =>
  mac((await keysOf(env)).proof, [chat_id, text, String(expires_at)])

/** Header with the signature of a queued message. */
export const proofHeader = 'otp-proof'

/** Verifies that a request is a queued message of this component. */
export const isQueue = requireQueueProof({ header: proofHeader, body: ChatDelivery, proofOf })

/** Header with the secret of the bot platform (Telegram Bot API, `setWebhook`). */
export const botHeader = 'x-telegram-bot-api-secret-token'

/** Verifies the secret of the bot platform. Returns false if none is configured, so that the request needs credentials. */
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
