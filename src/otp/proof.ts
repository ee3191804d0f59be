import { isSame } from '#core/http/access'
import type { UnvalidatedRequest } from '#core/http/declaration'
import { requireQueueProof } from '#core/http/proof'
import type { Env } from './bindings.ts'
import { ChatDelivery } from './contract.ts'
import { failure } from './errors.ts'
import { keysOf, mac } from './keys.ts'

/** What only this component can have given the queue. */
export const proofOf = async (env: Env, { chat_id, text, expires_at }: ChatDelivery): Promise<string> =>
  mac((await keysOf(env)).proof, [chat_id, text, String(expires_at)])

/** The header that has it. */
export const proofHeader = 'otp-proof'

/** Lets the queue's own calls pass. */
export const isQueue = requireQueueProof({ header: proofHeader, body: ChatDelivery, proofOf })

/** The header by which the bot's platform proves that an update is its own. */
export const botHeader = 'x-telegram-bot-api-secret-token'

/** Whether the bot's platform calls; without a secret for it the call needs credentials. */
export async function isBotPlatform({ env, request }: UnvalidatedRequest<Env>): Promise<boolean> {
  const { CHATAPP_WEBHOOK_SECRET: secret } = env
  if (!secret) return false
  if (!(await isSame(request.headers.get(botHeader) ?? '', secret)))
    throw failure(
      'unauthorized',
      `Only the platform of the bot may call this, with CHATAPP_WEBHOOK_SECRET in the header ${botHeader}.`,
    )
  return true
}
