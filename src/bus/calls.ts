// Sends one HTTP call to a handler or a webhook, and classifies the outcome. delivery.ts decides about retries.
import { Failure } from '#core/failure'
import { isDeeper, parseJson } from '#core/http/json'
import { requestIdHeaders } from '#core/http/request-id'
import { classOf, counter } from '#core/metrics/families'
import { call, type FetchedResponse } from '#core/outgoing/call'
import { messageHeaders } from '#core/outgoing/standard-webhooks'
import { answered, type CallRecord, unansweredCall } from './attempts.ts'
import type { Env } from './bindings.ts'
import type { HandlerOutcome } from './contract/documents.ts'
import type { DocumentRow } from './documents.ts'
import { isFinal } from './outcome.ts'
import { signingKeysOf } from './signing.ts'
import { secretsFor } from './target-secrets.ts'
import { handlerTimeoutMs, webhookTimeoutMs } from './timeouts.ts'

/** Maximum size of a stored answer. With the document's data of up to 1 MB, its row stays below 2 MB, the maximum of D1. */
const maxBodyBytes = 900_000

/** A `Retry-After` is honoured up to the longest pause of the retry schedule. */
const maxRetryAfterMs = 3_600_000

/** A failed call that took longer counts as unavailability, whatever its status: it held a daemon of the queue. */
const slowAfterMs = 5_000

const countCall = counter(
  'quartermaster_bus_calls_total',
  'Calls of handlers, webhooks and subscribers, by the class of the response status, or timeout or unreachable.',
)

/** The outcome of one call of a handler or a webhook, with the information that the retries and the circuit breaker need. */
export interface HandlerAttempt extends HandlerOutcome {
  /** `Retry-After` of a 429 or 503 in milliseconds, else 0. */
  retryAfterMs: number
  /** Whether the destination is down, rather than this document refused: no answer, overload, a gateway's error. Opens the circuit. */
  isUnavailable: boolean
  /** The record of the call. */
  call: CallRecord
}

type DocumentContent = Pick<DocumentRow, 'id' | 'event' | 'uuid' | 'data'>

/** The source of a message, for its globally unique id. */
interface MessageSource {
  instance: string
  collection: { id: number; name: string }
}

/** The collection of a handler, with its encrypted signing secrets. */
interface HandlerSource extends MessageSource {
  collection: { id: number; name: string; handler: string | null; secrets: string }
}

/** Globally unique message id, stable across retries. */
const idOf = (prefix: 'doc' | 'res' | 'sub', { instance, collection }: MessageSource, ...rest: (number | string)[]) =>
  [prefix, instance, collection.id, ...rest].join('_')

/** Posts a document to the handler of its collection. Without an answer the outcome is 502 or 504. */
export async function callHandler(
  env: Env,
  source: HandlerSource,
  document: DocumentContent,
  timeoutMs = handlerTimeoutMs,
): Promise<HandlerAttempt> {
  const { handler, secrets } = source.collection
  if (handler === null) return unreached(502, unansweredCall(Date.now(), 'unreachable'))
  const id = idOf('doc', source, document.id)
  const sealed = secretsFor(secrets, 'handler')
  return post(env, { to: 'handler', url: handler, id, timeoutMs, sealed }, bodyOf(source, document))
}

/** The body that a handler and the subscribers get. */
function bodyOf({ collection }: MessageSource, { id, event, uuid, data }: DocumentContent): string {
  return JSON.stringify({ event, data: parseJson(data), uuid, collection: collection.name, document: { id } })
}

/** Posts a document to a subscriber. */
export async function callSubscriber(
  env: Env,
  source: MessageSource,
  { id: subscription, url, secrets }: { id: string; url: string; secrets: string },
  document: DocumentContent,
): Promise<HandlerAttempt> {
  const id = idOf('sub', source, document.id, subscription)
  const sealed = JSON.parse(secrets) as string[]
  return post(env, { to: 'subscriber', url, id, timeoutMs: webhookTimeoutMs, sealed }, bodyOf(source, document))
}

/**
 * Posts the handler's answer to a document's webhook. Each answer has a separate message id, so that a receiver that ignores
 * copies accepts the answer after a replay.
 */
export async function callWebhook(
  env: Env,
  source: HandlerSource,
  { id, webhook, answered_at }: Pick<DocumentRow, 'id' | 'webhook' | 'answered_at'>,
  { status_code, body }: HandlerOutcome,
): Promise<HandlerAttempt> {
  const response = { status_code, body: parseJson(body) }
  const result = JSON.stringify({ status: true, content: { document: { id }, response } })
  const messageId = idOf('res', source, id, answered_at?.getTime() ?? 0)
  const sealed = secretsFor(source.collection.secrets, new URL(webhook!).origin)
  return post(env, { to: 'webhook', url: webhook!, id: messageId, timeoutMs: webhookTimeoutMs, sealed }, result)
}

interface Message {
  to: 'handler' | 'webhook' | 'subscriber'
  url: string
  /** The header `webhook-id`. */
  id: string
  timeoutMs: number
  /** Encrypted signing secrets of the destination. */
  sealed: string[]
}

async function post(env: Env, { to, url, id, timeoutMs, sealed }: Message, body: string): Promise<HandlerAttempt> {
  const signed = await messageHeaders(id, body, await signingKeysOf(env, sealed), Date.now())
  const headers = { 'content-type': 'application/json', ...requestIdHeaders(), ...signed }
  const startedAt = Date.now()
  try {
    // A redirect that would drop the body or change the origin is not followed: its status is the outcome.
    const limits = { timeout: timeoutMs, most: maxBodyBytes, redirects: 'same' } as const
    const answer = await call(env, { method: 'POST', url, headers, body }, limits)
    const { status } = answer
    countCall({ to, outcome: classOf(status) })
    const isSlow = Date.now() - startedAt > slowAfterMs
    const isUnavailable = !isFinal(status) && (isSlow || unavailable.has(status))
    const record = answered(startedAt, answer)
    return { ...asOutcome(answer), isUnavailable, retryAfterMs: retryAfterIn(answer), call: record }
  } catch (error) {
    if (!Failure.is(error)) throw error
    const hasTimedOut = error.status === 504
    countCall({ to, outcome: hasTimedOut ? 'timeout' : 'unreachable' })
    return unreached(hasTimedOut ? 504 : 502, unansweredCall(startedAt, hasTimedOut ? 'timeout' : 'unreachable'))
  }
}

const unreached = (status_code: number, call: CallRecord): HandlerAttempt => ({
  status_code,
  body: 'null',
  isUnavailable: true,
  retryAfterMs: 0,
  call,
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
  const stored = isTruncated ? 'null' : (isJson && normalJson(text)) || JSON.stringify(text)
  const isLarge = stored.length * 3 > maxBodyBytes && new TextEncoder().encode(stored).length > maxBodyBytes
  return { status_code: status, body: isLarge ? 'null' : stored }
}

const maxDepth = 100

/** The JSON text in normal form; undefined if it is invalid or nested too deep to be serialised. */
function normalJson(text: string): string | undefined {
  try {
    const value = parseJson(text)
    return isDeeper(value, maxDepth) ? undefined : JSON.stringify(value)
  } catch {
    return undefined
  }
}
