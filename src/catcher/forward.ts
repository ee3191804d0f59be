// Forwards a caught request to the URL of a stub, and returns the response.
import { Failure } from '#core/failure'
import { call, type FetchedResponse } from '#core/outgoing/call'
import type { Env } from './bindings.ts'
import { isMasked, maskHeaderValues } from './credentials.ts'
import { failure } from './errors.ts'
import type { RecordedResponse } from './history.ts'
import { headersOf, type ReceivedRequest } from './received-request.ts'
import { connectionHeaders } from './reply-headers.ts'
import { spaceHeader } from './spaces.ts'

const timeoutMs = 30_000
const maxResponseBytes = 5_000_000

/** Bytes of a response body that are stored. With its request, of up to 1 MB, it has to fit into a row of 2 MB. */
const maxRecordedBytes = 500_000

/**
 * Sends a request, whose credentials are masked, to the URL of a stub. Redirects are not followed. Throws `forward_failed` or
 * `forward_timeout`.
 */
export async function forwardRequest(env: Env, url: string, received: ReceivedRequest): Promise<FetchedResponse> {
  const headers = forwardedHeaders(received)
  const { method, body, body_size } = received
  if (body_size !== body.length) throw failure('forward_failed', 'Requests with more than 1 MB are not forwarded.')
  const outgoing = {
    method: method.toUpperCase(),
    url: targetOf(url, received),
    headers,
    ...(body.length > 0 && { body }),
  }
  const response = await call(env, outgoing, { timeout: timeoutMs, most: maxResponseBytes, redirects: 'none' }).catch(
    (error: unknown) => {
      if (!Failure.is(error)) throw error
      throw failure(error.code === 'upstream_timeout' ? 'forward_timeout' : 'forward_failed', error.message)
    },
  )
  if (response.isTruncated) throw failure('forward_failed', `The response is larger than ${maxResponseBytes} bytes.`)
  if (response.status < 200 || response.status > 599)
    throw failure('forward_failed', 'The status of the response is not between 200 and 599.')
  return response
}

/** A response in the form in which it is stored, without credentials of this deployment. */
export const recorded = (
  env: Env,
  { status, headers, body }: FetchedResponse,
  duration_ms: number,
): RecordedResponse => ({
  status,
  headers: JSON.parse(maskHeaderValues(env, JSON.stringify(headersOf(headers)))) as Record<string, string>,
  body: Uint8Array.from(body.subarray(0, maxRecordedBytes)),
  body_size: body.length,
  duration_ms,
  error: null,
})

/** A failure in the form in which it is stored. */
export const recordedFailure = ({ message }: Failure, duration_ms: number): RecordedResponse => ({
  status: null,
  headers: {},
  body: new Uint8Array(),
  body_size: 0,
  duration_ms,
  error: message,
})

/** Product name in the header `Via` (RFC 9110, section 7.6.3), by which a loop of forwarding stubs is noticed. */
const via = '1.1 quartermaster-catcher'

/**
 * Headers that are not forwarded: those of the connection, the name of the space, and those in which proxies put the address of
 * the sender. `Accept-Encoding` is set by the runtime, which decompresses the response.
 */
const droppedHeaders = new Set([
  ...connectionHeaders,
  'accept-encoding',
  'cdn-loop',
  'expect',
  'forwarded',
  'host',
  'true-client-ip',
  'x-real-ip',
  spaceHeader.toLowerCase(),
])

function forwardedHeaders({ headers }: ReceivedRequest): Record<string, string> {
  const sent = JSON.parse(headers) as Record<string, string>
  if (sent.via?.includes(via)) throw failure('forward_failed', 'The request was already forwarded by a catcher.')
  const named = (sent.connection ?? '').toLowerCase().split(/\s*,\s*/)
  const kept = Object.entries(sent).filter(
    ([name, value]) =>
      !droppedHeaders.has(name) && !/^(cf|x-forwarded)-/.test(name) && !named.includes(name) && !isMasked(value),
  )
  return { ...Object.fromEntries(kept), via: sent.via ? `${sent.via}, ${via}` : via }
}

/** The URL to call: below a base URL, which ends in `/`, the path of the request. Never outside of the base URL. */
export function targetOf(url: string, { path, query }: Pick<ReceivedRequest, 'path' | 'query'>): string {
  const base = new URL(url)
  const target = new URL(base)
  if (base.pathname.endsWith('/')) {
    const found = URL.parse(`${base.origin}${base.pathname.slice(0, -1)}${path}`)
    if (!found?.pathname.startsWith(base.pathname))
      throw failure('forward_failed', 'The path of the request leads out of the base URL.')
    target.pathname = found.pathname
  }
  const pairs = [base.search.slice(1), ...query.split('&').filter(isForwarded)].filter(Boolean)
  target.search = pairs.join('&')
  return target.href
}

const isForwarded = (pair: string) => !isMasked(pair) && !new URLSearchParams(pair).has(spaceHeader)
