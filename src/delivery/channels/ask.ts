import { Failure } from '#core/failure'
import { askPeer } from '#core/outgoing/peer'
import { ChannelReply } from '../contract.ts'
import type { Env } from '../env.ts'
import type { Outcome } from '../ledger/settling.ts'

/** Longer than what any channel takes at the most. */
const patience = 120_000

export interface Answered {
  status: number
  reply: ChannelReply
}

/** What a channel answered, or the outcome where it did not: then nobody knows, unless nothing was asked. */
export async function askChannel(env: Env, name: string, path: string, body: object): Promise<Answered | Outcome> {
  const { signal, stop } = patiently()
  try {
    const response = await askPeer({ ...env }, name, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
    const reply = ChannelReply.safeParse(await response.json().catch(() => undefined))
    return reply.success ? { status: response.status, reply: reply.data } : { state: 'unknown', reason: 'unreadable' }
  } catch (error) {
    if (Failure.is(error)) return { state: 'again', reason: error.code }
    return { state: 'unknown', reason: signal.aborted ? 'timeout' : 'interrupted' }
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

export const isAnswer = (asked: Answered | Outcome): asked is Answered => 'reply' in asked

/**
 * What a refusal means, for every channel: 502, 503, 429 and a want of access say that certainly nothing was sent and that it may be
 * later, 504 that nobody knows, any other below 500 that it never will be.
 */
export function refusedBy({ status, reply }: Answered): Outcome {
  const code = reply.status_code ?? 'refused'
  if (status === 429 || status === 502 || status === 503) return { state: 'again', reason: code }
  if (status === 504) return { state: 'unknown', reason: 'timeout' }
  if (status >= 500) return { state: 'unknown', reason: 'interrupted' }
  if (status === 401 || status === 403) return { state: 'again', reason: 'unauthorized' }
  return { state: 'failed', reason: status === 404 ? code : 'refused' }
}
