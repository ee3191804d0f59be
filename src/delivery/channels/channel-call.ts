// Calls the email, SMS or feed component to send one message, and derives the message's outcome from an error reply.
import { Failure } from '#core/failure'
import { fetchPeer } from '#core/outgoing/peer'
import type { Env } from '../bindings.ts'
import { ChannelReply } from '../contract/internal.ts'
import type { MessageOutcome } from '../ledger/settlement.ts'
import type { Recipient } from '../recipients.ts'
import type { DeliveryTexts } from '../texts.ts'

/** Renders a message and sends it to its channel with an idempotency key. Returns the outcome. */
export type Send = (env: Env, texts: DeliveryTexts, recipient: Recipient, key: string) => Promise<MessageOutcome>

/** Longer than the timeout of any channel. */
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

/** The response of a channel, or the outcome if there is none: unknown, unless no request was made. */
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

/** `AbortSignal.timeout` is not used, since its timer cannot be cleared. */
function timeoutSignal() {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), requestTimeoutMs)
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}

export const isReply = (response: ChannelResponse | MessageOutcome): response is ChannelResponse => 'reply' in response

/** The outcome of a message that the channel may have sent. */
const lost = (reason: string): MessageOutcome => ({ state: 'unknown', reason, hold: 'outlet_open' })

/**
 * The outcome of an error reply, for all channels. 502, 503, 401 and 403: nothing was sent, and the outlet is held. 429: the
 * same, and the outlet throttles. 504 and other 5xx: unknown. 409 for the key: another request with the key is being processed,
 * or the key belongs to another text. Other 4xx: the message is invalid.
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
