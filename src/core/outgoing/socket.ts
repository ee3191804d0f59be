import { connect } from 'cloudflare:sockets'
import { failure } from '#core/failure'
import { readResponse } from './response.ts'

interface GetWithBody {
  method: string
  url: string
  headers: Record<string, string>
  body: string | Uint8Array
  /** What the body is the text of, for the query that may have to stand in for it. */
  json?: unknown
}

const longestQuery = 16_384

/**
 * A GET or HEAD with a body, which `fetch` cannot send: HTTP/1.1 (RFC 9112) over a socket. Where no socket can be opened,
 * as to Cloudflare's own addresses, the body travels in the query instead, marked by `X-Body-In-Query: 1`.
 */
export async function getWithBody(request: GetWithBody, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted()
  const url = new URL(request.url)
  const isSecure = url.protocol === 'https:'
  const port = Number(url.port || (isSecure ? 443 : 80))
  const socket = connect(
    { hostname: url.hostname, port },
    { secureTransport: isSecure ? 'on' : 'off', allowHalfOpen: false },
  )
  // Nobody else listens for how it ends.
  socket.closed.catch(() => undefined)
  let writer: WritableStreamDefaultWriter<Uint8Array> | undefined
  const close = () => {
    // Closing waits for what is still to be written, which the other end may never take.
    void writer?.abort(signal.reason).catch(() => undefined)
    void socket.close().catch(() => undefined)
  }
  const end = () => {
    signal.removeEventListener('abort', close)
    close()
  }
  signal.addEventListener('abort', close)
  try {
    await Promise.race([socket.opened, aborted(signal)])
  } catch (error) {
    signal.removeEventListener('abort', close)
    signal.throwIfAborted()
    if (request.json === undefined) throw error
    return fetch(inQuery(request), {
      method: request.method,
      headers: queryHeaders(request),
      redirect: 'manual',
      signal,
    })
  }
  try {
    writer = socket.writable.getWriter()
    await writer.write(serialize(request, url))
    writer.releaseLock()
    writer = undefined
    return await readResponse(socket.readable, { method: request.method, signal, end })
  } catch (error) {
    end()
    throw error
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const ofConnection = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'keep-alive',
  'te',
  'trailer',
  'expect',
])

/** The request as bytes. `Headers` refuses names and values that would be more than one line. */
function serialize({ method, headers, body }: GetWithBody, url: URL): Uint8Array {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const lines = [...new Headers(headers)]
    .filter(([name]) => !ofConnection.has(name))
    .map(([name, value]) => `${name}: ${value}`)
  const head = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    'connection: close',
    `content-length: ${bytes.length}`,
    ...lines,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}

/** The URL with the keys of the JSON body in its query: scalars as text, arrays and objects as JSON text; `null` is left out. */
export function inQuery({ url, json }: Pick<GetWithBody, 'url' | 'json'>): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(json ?? {})) {
    if (value === undefined || value === null) continue
    target.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  if (target.search.length > longestQuery) {
    throw failure('query_too_long', `The parameters are longer than ${longestQuery} characters of query`)
  }
  return target.href
}

const queryHeaders = ({ headers }: GetWithBody) => {
  const kept = new Headers(headers)
  kept.delete('content-type')
  kept.set('x-body-in-query', '1')
  return kept
}
