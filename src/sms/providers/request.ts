// Sends an HTTP request to an SMS provider and derives the outcome from its response. All drivers use it.
import type { ProviderOutcome, Reason } from './driver.ts'

/** A provider's response. Its body is cut to `maxResponseCharacters`. */
export interface ProviderAnswer {
  status: number
  headers: Headers
  text: string
}

/**
 * Sends one request to a provider. Redirects are not followed. Without a response in time the outcome is `unknown`, since the
 * provider may have accepted the message.
 *
 * @param timeoutMs timeout of the request, including the time to read the response
 * @param outcomeFrom converts a response to an outcome
 */
export async function requestProvider(
  url: string,
  init: RequestInit,
  timeoutMs: number,
  outcomeFrom: (answer: ProviderAnswer) => ProviderOutcome,
): Promise<ProviderOutcome> {
  const request = requestOf(url, init)
  if (!request) return { state: 'refused', reason: 'rejected' }
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  const answer = await answerTo(request, controller.signal).finally(() => clearTimeout(timer))
  // The runtime reports a refused connection and a connection that broke after the request was sent with the same error, so the
  // message may have been accepted.
  if (!answer) return { state: 'unknown', reason: controller.signal.aborted ? 'timeout' : 'unreachable' }
  return isUnreached(answer) ? { state: 'refused', reason: 'unreachable' } : outcomeFrom(answer)
}

/** Creates the request. Returns undefined if the URL or a header is invalid; then nothing is sent. */
function requestOf(url: string, init: RequestInit): Request | undefined {
  try {
    return new Request(url, { ...init, redirect: 'manual' })
  } catch {
    return undefined
  }
}

async function answerTo(request: Request, signal: AbortSignal): Promise<ProviderAnswer | undefined> {
  try {
    const response = await fetch(request, { signal })
    return { status: response.status, headers: response.headers, text: await textOf(response) }
  } catch {
    return undefined
  }
}

/**
 * Maximum length of a response, much longer than any provider's reply about one message. A longer response is cut, and its JSON
 * is then invalid.
 */
const maxResponseCharacters = 100_000

async function textOf({ body }: Response): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxResponseCharacters) break
  }
  return text
}

/**
 * Whether Cloudflare replied instead of the provider because it could not connect: 521 connection refused, 523 origin
 * unreachable, 525 TLS handshake failed, 526 invalid certificate, 530 DNS error. With 520, 522 and 524 the request may have
 * reached the provider, so they do not count.
 */
const isUnreached = ({ status }: ProviderAnswer) => [521, 523, 525, 526, 530].includes(status)

/**
 * Derives the outcome from the status alone (RFC 9110, section 15). A client error means that the message was not accepted,
 * except for timeouts and conflicts. After a server error or redirect the message may have been accepted, except for a 503 with
 * `Retry-After`.
 */
export function outcomeOf({ status, headers }: ProviderAnswer): ProviderOutcome {
  const retryAfter = retryAfterIn(headers)
  const later = retryAfter === undefined ? {} : { retryAfter }
  if (status === 429) return { state: 'refused', reason: 'throttled', ...later }
  if (status === 503 && retryAfter !== undefined) return { state: 'refused', reason: 'unavailable', ...later }
  if (status >= 500) return { state: 'unknown', reason: 'unavailable' }
  if (status < 400 || uncertain.has(status)) return { state: 'unknown', reason: 'unreadable' }
  return { state: 'refused', reason: reasons[status] ?? 'rejected', ...later }
}

/**
 * Client errors after which the message may have been accepted: Request Timeout and Conflict, and 460 and 499, which proxies
 * send if the client has disconnected.
 */
const uncertain = new Set([408, 409, 460, 499])

const reasons: Record<number, Reason> = {
  401: 'credentials',
  402: 'balance',
  403: 'forbidden',
  407: 'credentials',
  413: 'text',
  414: 'text',
  431: 'text',
  451: 'forbidden',
}

const maxRetryAfterSeconds = 86_400

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3), which is in seconds or a date. Returns seconds, at most a day; undefined if
 * the header is missing or invalid.
 */
export function retryAfterIn(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  const isDate = /^[A-Z][a-z]{2}/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDate && !/^\d+$/.test(text)) return undefined
  const seconds = isDate ? Math.ceil((Date.parse(text) - Date.now()) / 1_000) : Number(text)
  return Math.min(Math.max(seconds, 0), maxRetryAfterSeconds)
}

/** Parses JSON. Returns undefined if the text is not valid JSON. */
export function jsonIn(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** Value of the `Authorization` header for Basic authentication (RFC 7617). */
export const basic = (username: string, password: string) =>
  `Basic ${new TextEncoder().encode(`${username}:${password}`).toBase64()}`
