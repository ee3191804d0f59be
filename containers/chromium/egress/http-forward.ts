// Forwards the plain HTTP requests of a document to their target. HTTPS connections are tunnelled in egress.ts instead.
import { type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import type { Socket } from 'node:net'

/** Names of hop-by-hop headers (RFC 9110, section 7.6.1) and of headers for the proxy, which must not be forwarded. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Forwards a plain HTTP request over the connection, and its reply to the browser. */
export function forward(request: IncomingMessage, response: ServerResponse, url: URL, socket: Socket) {
  const outgoing = sendRequest({
    createConnection: () => socket,
    method: request.method ?? 'GET',
    path: `${url.pathname}${url.search}`,
    headers: { ...endToEndHeaders(request), host: url.host, connection: 'close' },
    maxHeaderSize: 65_536,
  })
  outgoing.on('response', (reply) => {
    try {
      response.writeHead(reply.statusCode ?? 502, reply.statusMessage, endToEndHeaders(reply))
    } catch {
      // Node accepts replies that it then refuses to write, such as the status 99 or a reason with control characters.
      // The connection to the browser is closed for those.
      return void response.destroy()
    }
    reply.pipe(response)
    // If the target breaks off its reply, the browser's connection is closed too, so that the browser notices.
    reply.on('error', () => response.destroy())
  })
  outgoing.on('error', () => response.destroy())
  // Covers connections that close without a final reply, which cause no error event, such as after an unexpected 101.
  outgoing.on('close', () => response.headersSent || response.destroy())
  response.on('close', () => outgoing.destroy())
  request.pipe(outgoing)
}

/** The end-to-end headers, with all values of a repeated header. */
function endToEndHeaders({ headersDistinct }: IncomingMessage) {
  const named = Object.keys(headersDistinct).filter((name) => !hopByHop.has(name))
  return Object.fromEntries(named.map((name) => [name, headersDistinct[name]!]))
}
