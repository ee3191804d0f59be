import { request as begin, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Headers that are of one connection only (RFC 9110, 7.6.1), and those that were meant for the proxy. */
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

/** Asks over the connection what the browser asks for, and hands on the reply. */
export function forward(request: IncomingMessage, response: ServerResponse, url: URL, socket: Socket) {
  const outgoing = begin({
    createConnection: () => socket,
    method: request.method ?? 'GET',
    path: `${url.pathname}${url.search}`,
    headers: { ...passing(request), host: url.host, connection: 'close' },
    maxHeaderSize: 65_536,
  })
  outgoing.on('response', (reply) => {
    try {
      response.writeHead(reply.statusCode ?? 502, reply.statusMessage, passing(reply))
    } catch {
      // Node reads more than it writes: a status of 99, a reason with control characters.
      return void response.destroy()
    }
    reply.pipe(response)
    // Cut short for the browser too.
    reply.on('error', () => response.destroy())
  })
  outgoing.on('error', () => response.destroy())
  // Without an answer that counts: a 101 that nobody asked for is no error.
  outgoing.on('close', () => response.headersSent || response.destroy())
  response.on('close', () => outgoing.destroy())
  request.pipe(outgoing)
}

/** Every value of each, as it came. */
function passing({ headersDistinct }: IncomingMessage) {
  const named = Object.keys(headersDistinct).filter((name) => !hopByHop.has(name))
  return Object.fromEntries(named.map((name) => [name, headersDistinct[name]!]))
}
