import { Failure } from '#core/failure'
import { isDeeper, parseJson } from '#core/http/json'
import { requestIdHeaders } from '#core/http/request-id'
import { classOf, counter } from '#core/metrics/families'
import { call, type FetchedResponse } from '#core/outgoing/call'
import { messageHeaders } from '#core/outgoing/standard-webhooks'
import type { Env } from './bindings.ts'
import type { HandlerOutcome } from './contract.ts'
import type { DocumentRow } from './documents.ts'
import { signingKeyOf } from './env.ts'
import { isFinal } from './outcome.ts'
import { handlerTime, webhookTime } from './times.ts'

/** So that a row with its data, of a megabyte at most, stays within the two that D1 allows. */
const maxBodyBytes = 900_000

/** A `Retry-After` is honoured up to the longest pause of the retry schedule. */
const maxRetryAfterMs = 3_600_000

/** A failed call that took longer counts as unavailability, whatever its status: it held a daemon of the queue. */
const slowAfterMs = 5_000

const countCall = counter(
  'quartermaster_bus_calls_total',
  'Calls of handlers and webhooks, by the class of the status that was answered, timeout or unreachable.',
)

/** One call of a handler or a webhook. */
export interface HandlerAttempt extends HandlerOutcome {
  /** Milliseconds that the answer asks to wait before the next call; 0 unless it is 429 or 503. */
  retryAfterMs: number
  /** Whether the failure is the destination's rather than the document's: no answer, overload, a gateway's error. */
  isUnavailable: boolean
}

type Sent = Pick<DocumentRow, 'id' | 'event' | 'uuid' | 'data'>

/** The source of a message, for its globally unique id. */
interface Named {
  instance: string
  collection: { id: number; name: string; handler: string | null }
}

/** Globally unique message id, stable across retries. */
const idOf = (what: 'doc' | 'res', { instance, collection }: Named, ...rest: number[]) =>
  [what, instance, collection.id, ...rest].join('_')

/** Posts a document to the handler of its collection. No answer is an outcome too: 502 or 504. */
export async function callHandler(env: Env, named: Named, document: Sent): Promise<HandlerAttempt> {
  const { name, handler } = named.collection
  const { id, event, uuid, data } = document
  if (handler === null) return unreached(502)
  const body = JSON.stringify({ event, data: parseJson(data), uuid, collection: name, document: { id } })
  return post(env, 'handler', handler, idOf('doc', named, id), body)
}

/**
 * Posts the handler's answer to a document's webhook. An answer has a message id of its own, so that a receiver that ignores
 * copies takes the one that follows a replay.
 */
export async function callWebhook(
  env: Env,
  named: Named,
  { id, webhook, answered_at }: Pick<DocumentRow, 'id' | 'webhook' | 'answered_at'>,
  { status_code, body }: HandlerOutcome,
): Promise<HandlerAttempt> {
  const response = { status_code, body: parseJson(body) }
  const result = JSON.stringify({ status: true, content: { document: { id }, response } })
  return post(env, 'webhook', webhook!, idOf('res', named, id, answered_at?.getTime() ?? 0), result)
}

const times = { handler: handlerTime, webhook: webhookTime }

async function post(env: Env, to: keyof typeof times, url: string, id: string, body: string): Promise<HandlerAttempt> {
  const signed = await messageHeaders(id, body, signingKeyOf(env), Date.now())
  const headers = { 'content-type': 'application/json', ...requestIdHeaders(), ...signed }
  const startedAt = Date.now()
  try {
    // A redirect that would lose the body or the signature is not followed: it is the answer.
    const limits = { timeout: times[to], most: maxBodyBytes, redirects: 'same' } as const
    const answer = await call(env, { method: 'POST', url, headers, body }, limits)
    const { status } = answer
    countCall({ to, outcome: classOf(status) })
    const isSlow = Date.now() - startedAt > slowAfterMs
    const isUnavailable = !isFinal(status) && (isSlow || unavailable.has(status))
    return { ...asOutcome(answer), isUnavailable, retryAfterMs: retryAfterIn(answer) }
  } catch (error) {
    if (!Failure.is(error)) throw error
    const isLate = error.status === 504
    countCall({ to, outcome: isLate ? 'timeout' : 'unreachable' })
    return unreached(isLate ? 504 : 502)
  }
}

const unreached = (status_code: number): HandlerAttempt => ({
  status_code,
  body: 'null',
  isUnavailable: true,
  retryAfterMs: 0,
})

const unavailable = new Set([429, 502, 503, 504])

/** `Retry-After` of a 429 or 503 in milliseconds (RFC 9110, section 10.2.3): seconds or a date, an hour at most. */
function retryAfterIn({ status, headers }: FetchedResponse): number {
  const text = headers.get('retry-after')?.trim()
  if (!text || (status !== 429 && status !== 503)) return 0
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return waitMs > 0 ? Math.min(waitMs, maxRetryAfterMs) : 0
}

const json = /^application\/(json|[\w.+-]+\+json)\b/i

function asOutcome({ status, headers, body, isTruncated }: FetchedResponse): HandlerOutcome {
  const text = new TextDecoder().decode(body)
  const isJson = json.test(headers.get('content-type') ?? '')
  const kept = isTruncated ? 'null' : (isJson && sameJson(text)) || JSON.stringify(text)
  const isLarge = kept.length * 3 > maxBodyBytes && new TextEncoder().encode(kept).length > maxBodyBytes
  return { status_code: status, body: isLarge ? 'null' : kept }
}

const deepest = 100

/** The text written anew; nothing where it is no JSON after all, or nested too deep to be written again. */
function sameJson(text: string): string | undefined {
  try {
    const value = parseJson(text)
    return isDeeper(value, deepest) ? undefined : JSON.stringify(value)
  } catch {
    return undefined
  }
}
