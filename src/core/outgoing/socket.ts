// Sends a GET or HEAD request with a body over a socket, since `fetch` refuses such a request.
import { connect } from 'cloudflare:sockets'
import { failure } from '#core/failure'
import { readResponse } from './response.ts'

interface GetWithBody {
  method: string
  url: string
  headers: Record<string, string>
  body: string | Uint8Array
  /** The value of a JSON body. It is sent in the query string if no socket can be opened. */
  json?: unknown
}

const maxQueryLength = 16_384

/**
 * Sends a GET or HEAD with a body, which `fetch` refuses, as HTTP/1.1 (RFC 9112) over a socket. If no socket can be opened, as to
 * Cloudflare's own addresses, the JSON body is sent in the query string with the header `X-Body-In-Query: 1`.
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
  // Avoids an unhandled rejection of `closed`: reads and writes report the same errors.
  socket.closed.catch(() => undefined)
  let writer: WritableStreamDefaultWriter<Uint8Array> | undefined
  const close = () => {
    // Aborts the writer first. Otherwise closing the socket would wait for pending writes, which the server may never
    // read.
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

/** Headers that `serialize` sets itself. A caller's values would contradict the connection, so they are dropped. */
const connectionHeaders = new Set([
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

/** Serializes the request. `Headers` refuses names and values with line breaks. */
function serialize({ method, headers, body }: GetWithBody, url: URL): Uint8Array {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const lines = [...new Headers(headers)]
    .filter(([name]) => !connectionHeaders.has(name))
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

/** The URL with the keys of a JSON body in its query string: scalars as text, arrays and objects as JSON. Omits `null`. */
export function inQuery({ url, json }: Pick<GetWithBody, 'url' | 'json'>): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(json ?? {})) {
    if (value === undefined || value === null) continue
    target.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  if (target.search.length > maxQueryLength) {
    throw failure('query_too_long', `The parameters need more than ${maxQueryLength} characters in the query string.`)
  }
  return target.href
}

const queryHeaders = ({ headers }: GetWithBody) => {
  const changed = new Headers(headers)
  changed.delete('content-type')
  changed.set('x-body-in-query', '1')
  return changed
}
