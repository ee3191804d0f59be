import { Failure, failure } from '#core/failure'
import { getWithBody } from './socket.ts'
import { objectionTo, type TargetEnv } from './url.ts'

export interface Outgoing {
  method: string
  url: string
  headers?: Record<string, string>
  /** Sent as the JSON body, on any method. */
  json?: unknown
  /** Sent as it is. */
  body?: string | Uint8Array
}

interface Limits {
  /** Milliseconds until the reply's end; 15 seconds unless given. */
  timeout?: number
  /** The most bytes of a reply's body that are read; the rest is left. */
  most?: number
  /** Which redirects are followed: all unless given, or those that keep method and origin; any other is then the answer. */
  redirects?: 'all' | 'same'
  /** Refuses with the code `redirected` a redirect that would drop the body (301, 302 or 303), and a chain that does not end. */
  keepBody?: boolean
}

/** What came back, read to its end. */
export interface FetchedResponse {
  status: number
  headers: Headers
  body: Uint8Array
  isTruncated: boolean
}

const mostRedirects = 5

/**
 * Calls a URL that a caller named: its address is checked, and again at each of at most five redirects. Refuses with
 * `upstream_failed` what cannot be reached or must not be, with `upstream_timeout` what takes too long.
 */
export async function call(
  env: TargetEnv,
  outgoing: Outgoing,
  { timeout = 15_000, most = 1_000_000, ...redirecting }: Limits = {},
): Promise<FetchedResponse> {
  // Not `AbortSignal.timeout`, whose timers run on: an object that calls all day would soon have too many of them.
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(), timeout)
  try {
    return await read(await follow(env, outgoing, signal, redirecting), most)
  } catch (error) {
    throw failureOf(error, signal, timeout)
  } finally {
    clearTimeout(timer)
  }
}

/** Why a call failed, as its caller may see it. */
export function failureOf(error: unknown, signal: AbortSignal, timeout: number): Failure {
  if (Failure.is(error)) return error
  if (signal.aborted)
    return failure('upstream_timeout', `There was no answer within ${timeout / 1_000} seconds`, { cause: error })
  return failure('upstream_failed', 'The address could not be reached', { cause: error })
}

/** The response that a call ends at, its body unread. Each address on the way is checked. */
export async function follow(
  env: TargetEnv,
  first: Outgoing,
  signal: AbortSignal,
  { redirects = 'all', keepBody = false }: Pick<Limits, 'redirects' | 'keepBody'> = {},
): Promise<Response> {
  const code = keepBody ? 'redirected' : 'upstream_failed'
  let outgoing = first
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const objection = objectionTo(outgoing.url, env)
    if (objection) {
      const message = `The address is not allowed: ${objection.toLowerCase()}`
      throw failure('address_refused', message)
    }
    const response = await send(outgoing, signal)
    const next = redirected(outgoing, response)
    if (next && keepBody && hasBody(outgoing) && !hasBody(next)) {
      await response.body?.cancel()
      throw failure(code, 'A redirect would drop the body')
    }
    if (!next || (redirects === 'same' && !isAlike(outgoing, next))) return response
    await response.body?.cancel()
    outgoing = next
  }
  throw failure(code, `More than ${mostRedirects} redirects`)
}

const hasBody = ({ json, body }: Outgoing) => json !== undefined || body !== undefined

const isAlike = (one: Outgoing, other: Outgoing) =>
  one.method === other.method && new URL(one.url).origin === new URL(other.url).origin

/** One request, without following redirects. What `fetch` refuses, a GET with a body or an unknown method, goes over a socket. */
async function send({ method, url, headers = {}, json, body }: Outgoing, signal: AbortSignal): Promise<Response> {
  const content = json === undefined ? body : JSON.stringify(json)
  const isTyped = json === undefined || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  const sent = isTyped ? headers : { 'content-type': 'application/json', ...headers }
  const isPlain = content === undefined || (method !== 'GET' && method !== 'HEAD')
  if (isPlain && isKnown(method)) {
    return fetch(url, {
      method,
      headers: sent,
      redirect: 'manual',
      signal,
      ...(content !== undefined && { body: content }),
    })
  }
  return getWithBody({ method, url, headers: sent, body: content ?? '', json }, signal)
}

const usual = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Whether `fetch` has heard of a method; others it refuses. */
function isKnown(method: string): boolean {
  if (usual.has(method)) return true
  try {
    new Request('http://any', { method })
    return true
  } catch {
    return false
  }
}

const moved = new Set([301, 302, 303, 307, 308])
const harmless = /^(accept|accept-language|content-type|user-agent)$/i

/** The request that a redirect asks for (RFC 9110, section 15.4); to another origin only headers go along that cannot be
 * secrets. */
export function redirected(
  outgoing: Outgoing,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
): Outgoing | undefined {
  const location = headers.get('location')
  if (!moved.has(status) || location === null) return undefined
  const url = URL.parse(location, outgoing.url)
  if (!url) throw failure('upstream_failed', 'A redirect leads nowhere')
  const isSame = url.origin === new URL(outgoing.url).origin
  const kept = Object.entries(outgoing.headers ?? {}).filter(([name]) => isSame || harmless.test(name))
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
