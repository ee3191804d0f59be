import { Failure } from '#core/failure'
import { fetchPeer } from '#core/outgoing/peer'
import type { Env } from '../bindings.ts'
import { ChannelReply } from '../contract/internal.ts'
import type { MessageOutcome } from '../ledger/settling.ts'
import type { Recipient } from '../recipients.ts'
import type { DeliveryTexts } from '../texts.ts'

/** Renders a message and hands it to its channel under an idempotency key; gives what is known of it then. */
export type Send = (env: Env, texts: DeliveryTexts, recipient: Recipient, key: string) => Promise<MessageOutcome>

/** Longer than what any channel takes at the most. */
const patience = 120_000

export interface ChannelAnswer {
  status: number
  reply: ChannelReply
}

/** A request to a channel: what is sent, under the message's idempotency key. */
interface Asked {
  path: string
  body: object
  key: string
}

/** What a channel answered, or the outcome where it did not: then nobody knows, unless nothing was asked. */
export async function askChannel(
  env: Env,
  name: string,
  { path, body, key }: Asked,
): Promise<ChannelAnswer | MessageOutcome> {
  const { signal, stop } = patiently()
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

/** Not `AbortSignal.timeout`, whose timers run on. */
function patiently() {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), patience)
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}

export const isAnswer = (asked: ChannelAnswer | MessageOutcome): asked is ChannelAnswer => 'reply' in asked

/** The outcome of a message that the channel may have sent. */
const lost = (reason: string): MessageOutcome => ({ state: 'unknown', reason, hold: 'outlet_open' })

/**
 * The meaning of a refusal, for every channel. 502, 503 and a lack of access: nothing was sent, and the outlet is held.
 * 429: the same, and the outlet is throttled. 504 and other codes of the server: nobody knows. 409 for a key: another
 * request with it is under way, or it belongs to another text. Any other code below 500 is the message's own fault.
 */
export function refusedBy({ status, reply }: ChannelAnswer): MessageOutcome {
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
