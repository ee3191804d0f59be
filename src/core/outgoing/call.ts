import { Failure, failure } from '#core/failure'
import { getWithBody } from './socket.ts'
import { objectionTo, type TargetEnv } from './url.ts'

// HTTP requests to URLs that callers give, such as webhooks, with checks against server-side request forgery (SSRF).

/** A request to be sent. */
export interface Outgoing {
  method: string
  url: string
  headers?: Record<string, string>
  /** Value of a JSON body. Sent with any method, GET included. */
  json?: unknown
  /** Body that is sent unchanged, as an alternative to `json`. */
  body?: string | Uint8Array
}

interface Limits {
  /** Milliseconds until the end of the response. Default: 15 seconds. */
  timeout?: number
  /** Maximum number of bytes of the body to read; the rest is discarded. Default: 1 MB. */
  most?: number
  /**
   * `same`: follow only redirects that keep method and origin, and return any other as the response. `none`: return all redirects.
   * Default: follow all.
   */
  redirects?: 'all' | 'same' | 'none'
  /**
   * Throws `redirected` for a redirect that would drop the body (301, 302 or 303), and after five redirects. Without
   * it, such a redirect is followed by a GET.
   */
  keepBody?: boolean
}

/** A response that was read completely. */
export interface FetchedResponse {
  status: number
  headers: Headers
  body: Uint8Array
  isTruncated: boolean
}

const maxRedirects = 5

/**
 * Calls a URL from a caller. The URL and each of at most five redirects are checked. Throws `address_refused` for an address that
 * is not allowed, `upstream_failed` if the server cannot be reached, and `upstream_timeout` if it takes too long.
 */
export async function call(
  env: TargetEnv,
  outgoing: Outgoing,
  { timeout = 15_000, most = 1_000_000, ...redirectOptions }: Limits = {},
): Promise<FetchedResponse> {
  // A timer that can be cleared, and not `AbortSignal.timeout`: in a durable object that sends many requests, its
  // timers would accumulate.
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(), timeout)
  try {
    return await read(await follow(env, outgoing, signal, redirectOptions), most)
  } catch (error) {
    throw failureOf(error, signal, timeout)
  } finally {
    clearTimeout(timer)
  }
}

/** Converts an exception of an outgoing request to a `Failure`. */
export function failureOf(error: unknown, signal: AbortSignal, timeout: number): Failure {
  if (Failure.is(error)) return error
  if (signal.aborted)
    return failure('upstream_timeout', `The server did not answer within ${timeout / 1_000} seconds.`, { cause: error })
  return failure('upstream_failed', 'The server could not be reached.', { cause: error })
}

/** Sends a request and follows redirects, checking each URL. The caller reads the body of the response. */
export async function follow(
  env: TargetEnv,
  first: Outgoing,
  signal: AbortSignal,
  { redirects = 'all', keepBody = false }: Pick<Limits, 'redirects' | 'keepBody'> = {},
): Promise<Response> {
  const code = keepBody ? 'redirected' : 'upstream_failed'
  let outgoing = first
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const objection = objectionTo(outgoing.url, env)
    if (objection) {
      const message = `The URL is not allowed: it ${objection[0]!.toLowerCase()}${objection.slice(1)}.`
      throw failure('address_refused', message)
    }
    const response = await send(outgoing, signal)
    const next = redirects === 'none' ? undefined : redirected(outgoing, response)
    if (next && keepBody && hasBody(outgoing) && !hasBody(next)) {
      await response.body?.cancel()
      throw failure(code, 'The server answered with a redirect that would drop the body.')
    }
    if (!next || (redirects === 'same' && !isAlike(outgoing, next))) return response
    await response.body?.cancel()
    outgoing = next
  }
  throw failure(code, `The server answered with more than ${maxRedirects} redirects.`)
}

const hasBody = ({ json, body }: Outgoing) => json !== undefined || body !== undefined

const isAlike = (one: Outgoing, other: Outgoing) =>
  one.method === other.method && new URL(one.url).origin === new URL(other.url).origin

/**
 * Sends one request without following redirects. `fetch` refuses a GET with a body and unknown methods, so these are
 * sent over a socket.
 */
async function send({ method, url, headers = {}, json, body }: Outgoing, signal: AbortSignal): Promise<Response> {
  const content = json === undefined ? body : JSON.stringify(json)
  const isTyped = json === undefined || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  const allHeaders = isTyped ? headers : { 'content-type': 'application/json', ...headers }
  const isPlain = content === undefined || (method !== 'GET' && method !== 'HEAD')
  if (isPlain && isKnown(method)) {
    return fetch(url, {
      method,
      headers: allHeaders,
      redirect: 'manual',
      signal,
      ...(content !== undefined && { body: content }),
    })
  }
  return getWithBody({ method, url, headers: allHeaders, body: content ?? '', json }, signal)
}

const commonMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Whether `fetch` accepts a method. */
function isKnown(method: string): boolean {
  if (commonMethods.has(method)) return true
  try {
    new Request('http://any', { method })
    return true
  } catch {
    return false
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])
/** Names of headers that cannot hold secrets. Only these are sent on when a redirect leads to another origin. */
const safeHeaders = /^(accept|accept-language|content-type|user-agent)$/i

/**
 * The request that follows a redirect (RFC 9110, section 15.4), or `undefined` if the response is not a redirect. A request to
 * another origin gets only headers that cannot hold secrets.
 */
export function redirected(
  outgoing: Outgoing,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
): Outgoing | undefined {
  const location = headers.get('location')
  if (!redirectStatuses.has(status) || location === null) return undefined
  const url = URL.parse(location, outgoing.url)
  if (!url) throw failure('upstream_failed', 'The server answered with a redirect whose Location is not a valid URL.')
  const isSame = url.origin === new URL(outgoing.url).origin
  const kept = Object.entries(outgoing.headers ?? {}).filter(([name]) => isSame || safeHeaders.test(name))
  const next = { ...outgoing, url: url.href, headers: Object.fromEntries(kept) }
  const isGet = outgoing.method === 'GET' || outgoing.method === 'HEAD'
  const becomesGet = (status === 303 && !isGet) || (status <= 302 && outgoing.method === 'POST')
  if (!becomesGet) return next
  const { json: _, body: __, ...bare } = next
  return { ...bare, method: 'GET' }
}

async function read(response: Response, most: number): Promise<FetchedResponse> {
  const { status, headers } = response
  const isWhole = Number(headers.get('content-length') ?? Number.NaN) <= most && !headers.has('content-encoding')
  if (isWhole) return { status, headers, body: new Uint8Array(await response.arrayBuffer()), isTruncated: false }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, most - size))
    size += chunk.length
    if (size > most) break
  }
  const body = new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer())
  return { status, headers, body, isTruncated: size > most }
}
