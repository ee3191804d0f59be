// Calls the email, SMS or feed component to send one message, and derives the message's outcome from an error reply.
import { Failure } from '#core/failure'
import { fetchPeer } from '#core/outgoing/peer'
import type { Env } from '../bindings.ts'
import { ChannelReply } from '../contract/internal.ts'
import type { MessageOutcome } from '../ledger/settlement.ts'
import type { Recipient } from '../recipients.ts'
import type { DeliveryTexts } from '../texts.ts'

/**
 * Renders one message for a recipient and sends it through its channel. `key` is the message's idempotency key. Returns the
 * outcome, also for an error reply.
 */
export type Send = (env: Env, texts: DeliveryTexts, recipient: Recipient, key: string) => Promise<MessageOutcome>

/**
 * Timeout of a call to a channel. It is longer than the channel's own timeout, so that the channel, which knows the outcome,
 * replies first.
 */
const requestTimeoutMs = 120_000

export interface ChannelResponse {
  status: number
  reply: ChannelReply
}

/** A request to a channel. `key` is the idempotency key of the message. */
interface ChannelRequest {
  path: string
  body: object
  key: string
}

/**
 * Calls a channel. Returns its response, or the outcome if there is no response: `held` if no request was made, otherwise
 * `unknown`, since the channel may have sent the message.
 */
export async function callChannel(
  env: Env,
  name: string,
  { path, body, key }: ChannelRequest,
): Promise<ChannelResponse | MessageOutcome> {
  const { signal, stop } = timeoutSignal()
  try {
    const response = await fetchPeer({ ...env }, name, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
      signal,
    })
    const reply = ChannelReply.safeParse(await response.json().catch(() => undefined))
    return reply.success ? { status: response.status, reply: reply.data } : lost('unreadable')
  } catch (error) {
    if (Failure.is(error)) return { state: 'held', reason: error.code, hold: 'outlet_open' }
    return lost(signal.aborted ? 'timeout' : 'interrupted')
  } finally {
    stop()
  }
}

/**
 * An abort signal that fires after the timeout. Not `AbortSignal.timeout`, because its timer cannot be cleared and would live
 * on after the call.
 */
function timeoutSignal() {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), requestTimeoutMs)
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}

export const isReply = (response: ChannelResponse | MessageOutcome): response is ChannelResponse => 'reply' in response

/** The outcome of a message that the channel may have sent before the response was lost. */
const lost = (reason: string): MessageOutcome => ({ state: 'unknown', reason, hold: 'outlet_open' })

/**
 * Derives the outcome from an error reply that all channels have in common. 502, 503, 401 and 403: the message was not sent,
 * and the channel is held. 429: the same, and the channel throttles. 504 and other 5xx: unknown. 409 for the idempotency key:
 * another request with the key is being processed, or the key belongs to another text. Other 4xx: the message is invalid.
 */
export function outcomeOfError({ status, reply }: ChannelResponse): MessageOutcome {
  const code = reply.status_code ?? 'refused'
  if (status === 429) return { state: 'held', reason: code, hold: 'quota', isThrottled: true }
  if (status === 502 || status === 503) return { state: 'held', reason: code, hold: 'outlet_open' }
  if (status === 401 || status === 403) return { state: 'held', reason: 'unauthorized', hold: 'outlet_open' }
  if (code === 'outcome_unknown') return { state: 'unknown', reason: 'interrupted' }
  if (status === 504) return lost('timeout')
  if (status >= 500) return lost('interrupted')
  if (code === 'idempotency_key_in_use') return { state: 'pending' }
  if (code === 'idempotency_key_reused') return { state: 'unknown', reason: code }
  return { state: 'failed', reason: status === 404 ? code : 'refused' }
}
