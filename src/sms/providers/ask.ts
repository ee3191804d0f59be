import type { ProviderOutcome, Reason } from './provider.ts'

/** What a provider answered, read to its end. */
export interface ProviderAnswer {
  status: number
  headers: Headers
  text: string
}

/**
 * Makes one request to a provider, whose address is the operator's: redirects are not followed, and it takes `timeout`
 * milliseconds at most. `understand` says what an answer means; where none came, the provider may have taken the message.
 */
export async function ask(
  url: string,
  init: RequestInit,
  timeout: number,
  understand: (answer: ProviderAnswer) => ProviderOutcome,
): Promise<ProviderOutcome> {
  const request = requestOf(url, init)
  if (!request) return { state: 'refused', reason: 'rejected' }
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeout)
  const answer = await answerTo(request, controller.signal).finally(() => clearTimeout(timer))
  // The runtime says the same of a connection that was refused as of one that broke after all had been sent.
  if (!answer) return { state: 'unknown', reason: controller.signal.aborted ? 'timeout' : 'unreachable' }
  return isUnreached(answer) ? { state: 'refused', reason: 'unreachable' } : understand(answer)
}

/** Nothing where none can be made of an address or a header, so that nothing is sent. */
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

/** Many times what a provider has to say of one message; what is longer is cut, and so is no JSON. */
const most = 100_000

async function textOf({ body }: Response): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > most) break
  }
  return text
}

/**
 * What Cloudflare answers in the place of an origin to which it could make no connection, or none over TLS: 521 refused, 523
 * unreachable, 525 handshake failed, 526 wrong certificate, 530 no address. Not 522, which also stands for a request that
 * was sent and not acknowledged, nor 520 and 524.
 */
const isUnreached = ({ status }: ProviderAnswer) => [521, 523, 525, 526, 530].includes(status)

/**
 * What the status alone says (RFC 9110, section 15). A client error means that the request was not carried out, save where it
 * is about time, or about something like it that is there already. A server error may have come after the message was taken,
 * unless it asks to come back. A redirect may be the answer to what was carried out.
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

/** Request Timeout, Conflict; and what some proxies say of a client that they think has gone. */
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

const longestWait = 86_400

/** `Retry-After` in seconds (RFC 9110, section 10.2.3), whether it has seconds or a date; a day at most. */
export function retryAfterIn(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  const isDate = /^[A-Z][a-z]{2}/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDate && !/^\d+$/.test(text)) return undefined
  const seconds = isDate ? Math.ceil((Date.parse(text) - Date.now()) / 1_000) : Number(text)
  return Math.min(Math.max(seconds, 0), longestWait)
}

/** The value of a JSON text; nothing where it is none. */
export function jsonIn(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** The header of Basic authentication (RFC 7617). */
export const basic = (username: string, password: string) =>
  `Basic ${new TextEncoder().encode(`${username}:${password}`).toBase64()}`
