import { connect } from 'cloudflare:sockets'
import { HTTPParser } from 'http-parser-js'
import { Failure } from '#core/failure'

export interface GetWithBody {
  method: string
  url: string
  headers: Record<string, string>
  body: string | Uint8Array
  /** What the body is the text of, for the query that may have to stand in for it. */
  json?: unknown
}

const longestQuery = 16_384
const mostHeaders = 65_536

/**
 * A GET or HEAD with a body, which `fetch` cannot send: HTTP/1.1 (RFC 9112) over a socket. Where no socket can be opened,
 * as to Cloudflare's own addresses, the body travels in the query instead, marked by `X-Body-In-Query: 1`.
 */
export async function getWithBody(request: GetWithBody, signal: AbortSignal, most: number): Promise<Response> {
  const url = new URL(request.url)
  const isSecure = url.protocol === 'https:'
  const port = Number(url.port || (isSecure ? 443 : 80))
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ hostname, port }, { secureTransport: isSecure ? 'on' : 'off', allowHalfOpen: false })
  // Nobody else listens for how it ends.
  socket.closed.catch(() => undefined)
  const stop = () => void socket.close().catch(() => undefined)
  signal.addEventListener('abort', stop)
  try {
    await Promise.race([socket.opened, aborted(signal)])
  } catch (error) {
    signal.removeEventListener('abort', stop)
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
    const writer = socket.writable.getWriter()
    await writer.write(serialize(request, url))
    writer.releaseLock()
    return await parse(socket.readable, { method: request.method, signal, most })
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
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

interface Reading {
  method: string
  signal: AbortSignal
  most: number
}

/** Reads a response to its end, or until it has more bytes than will be read. */
async function parse(readable: ReadableStream<Uint8Array>, { method, signal, most }: Reading): Promise<Response> {
  const parser = new HTTPParser(HTTPParser.RESPONSE)
  const chunks: Uint8Array[] = []
  let head: { status: number; headers: Headers } | undefined
  let isComplete = false
  let received = 0
  parser[HTTPParser.kOnHeadersComplete] = ({ statusCode, headers }) => {
    if (statusCode < 200) return 0
    head = { status: statusCode, headers: toHeaders(headers) }
    return method === 'HEAD' ? 1 : 0
  }
  parser[HTTPParser.kOnBody] = (buffer, start, length) => void chunks.push(buffer.subarray(start, start + length))
  parser[HTTPParser.kOnMessageComplete] = () => {
    isComplete = head !== undefined
  }
  for await (const chunk of readable as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted()
    received += chunk.length
    if (!head && received > mostHeaders) throw new Failure('upstream_failed', 'The answer has too many headers')
    const result = parser.execute(Buffer.from(chunk))
    if (result instanceof Error) throw new Failure('upstream_failed', 'The answer is not HTTP', { cause: result })
    if (received > most + mostHeaders) isComplete = head !== undefined
    if (isComplete) break
  }
  signal.throwIfAborted()
  parser.finish()
  if (!head || !isComplete) throw new Failure('upstream_failed', 'The answer was cut off')
  const isEmpty = method === 'HEAD' || [204, 205, 304].includes(head.status)
  return new Response(isEmpty ? null : new Blob(chunks as Uint8Array<ArrayBuffer>[]).stream(), head)
}

function toHeaders(pairs: string[]): Headers {
  const headers = new Headers()
  for (let i = 0; i < pairs.length; i += 2) headers.append(pairs[i]!, pairs[i + 1]!)
  return headers
}

/** The URL with the keys of the JSON body in its query: scalars as text, arrays and objects as JSON text; `null` is left out. */
export function inQuery({ url, json }: Pick<GetWithBody, 'url' | 'json'>): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(json ?? {})) {
    if (value === undefined || value === null) continue
    target.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  if (target.search.length > longestQuery) {
    throw new Failure('upstream_failed', `The parameters are longer than ${longestQuery} characters of query`, {
      code: 'query_too_long',
    })
  }
  return target.href
}

const queryHeaders = ({ headers }: GetWithBody) => {
  const kept = new Headers(headers)
  kept.delete('content-type')
  kept.set('x-body-in-query', '1')
  return kept
}
